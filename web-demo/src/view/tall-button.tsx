/** Gives the pane below the table more of the page, or what it had. */
export function TallButton({ tall, onTall }: { tall: boolean; onTall(tall: boolean): void }) {
  return (
    <button class="button quiet tall-button" aria-pressed={tall} onClick={() => onTall(!tall)} title="More room for this pane">
      Taller
    </button>
  );
}
