const kPaths = {
  logo: 'M4 20V10.500L12 5l8 5.500V20M4 10.500h16M9.5 20v-5.500h5V20',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4.5 4.5',
  reset: 'M4 4v6h6M4.600 14.500A8 8 0 1 0 6 7.500L4 10',
  plus: 'M12 5v14M5 12h14',
  close: 'm6 6 12 12M18 6 6 18',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7',
  send: 'm5 12 14-7-4.5 14-3-5.500L5 12Z',
  wide: 'M4 7v10M20 7v10M8 12h8m-8 0 2.5-2.500M8 12l2.5 2.500M16 12l-2.5-2.500M16 12l-2.5 2.5',
  down: 'm7 10 5 5 5-5',
  key: 'M14.5 13.500a4.500 4.500 0 1 0-4.200-2.900L4 17v3h3v-2h2v-2h2l1.400-2.300c.6.200 1.400.3 2.100.3Zm1-5h.01',
} as const;

/** A line drawing in the colour of the surrounding text. */
export function Icon({ name }: { name: keyof typeof kPaths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={kPaths[name]} />
    </svg>
  );
}
