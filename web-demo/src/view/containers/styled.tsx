import '../../style/ansi.css';
import { inkOn, rgbOf, type Run, type Style } from '../../api/ansi';

/** Text as a program colours it. What could not be read in the colours of the page gets others. */
export function Styled({ runs }: { runs: readonly Run[] }) {
  return (
    <>
      {runs.map(({ text, style }, index) => {
        const { name, css } = lookOf(style);
        return name === '' ? (
          text
        ) : (
          <span key={index} class={name} style={css}>
            {text}
          </span>
        );
      })}
    </>
  );
}

/** Returns the class and the style of a look; no class for plain text. */
function lookOf({ ink, ground, bold, faint, italic, underlined, struck, inverse }: Style): { name: string; css?: Record<string, string> } {
  const marks = [bold && 'bold', italic && 'italic', underlined && 'underlined', struck && 'struck'].filter(Boolean);
  const [front, back] = inverse ? [ground, ink] : [ink, ground];
  const withMarks = (more: readonly string[], css?: Record<string, string>) => ({ name: [...more, ...marks].join(' '), css });
  if (back !== undefined) {
    const background = rgbOf(back);
    return withMarks(['on-ground'], { background, color: inkOn(background, front === undefined ? undefined : rgbOf(front)) });
  }
  if (inverse) return withMarks(['inverse']);
  if (front === undefined) return withMarks(faint ? ['faint'] : []);
  // The sixteen are the page's own; any other colour is made as dark or light as can be read.
  if (typeof front === 'number' && front < 16) return withMarks(['ink'], { color: `var(--ansi-${front})` });
  return withMarks(['many'], { '--ink': rgbOf(front) });
}
