// How text looks that a program prints for a terminal: the escape sequence "select graphic rendition" (ECMA-48, 8.3.117), with the
// bright and the many colours of xterm.

/** An index of xterm's palette (0 to 255), or `#rrggbb`. */
export type Colour = number | string;

export interface Style {
  readonly ink?: Colour;
  readonly ground?: Colour;
  readonly bold?: boolean;
  readonly faint?: boolean;
  readonly italic?: boolean;
  readonly underlined?: boolean;
  readonly struck?: boolean;
  /** Ink and ground are exchanged. */
  readonly inverse?: boolean;
}

/** Text of one look. */
export interface Run {
  text: string;
  style: Style;
}

export const kPlain: Style = {};

const kSwitches: Readonly<Record<number, Partial<Style>>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underlined: true },
  7: { inverse: true },
  9: { struck: true },
  21: { underlined: true },
  22: { bold: undefined, faint: undefined },
  23: { italic: undefined },
  24: { underlined: undefined },
  27: { inverse: undefined },
  29: { struck: undefined },
  39: { ink: undefined },
  49: { ground: undefined },
};

/** Returns `style` as the parameters of a sequence `ESC [ … m` change it: `1;31`, `38;5;208`, `48:2::255:0:0`. */
export function restyled(style: Style, parameters: string): Style {
  let now = style;
  // With colons, all of a colour is one parameter, which may name a colour space before its red.
  const codes = parameters.split(';').flatMap((each) => (each.includes(':') ? joined(each) : [Number(each)]));
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 38 || code === 48) {
      const { colour, length } = manyColours(codes.slice(i + 1));
      if (colour !== undefined) now = { ...now, [code === 38 ? 'ink' : 'ground']: colour };
      i += length;
    } else if (code === 0) now = kPlain;
    else {
      const change = kSwitches[code] ?? oneOfSixteen(code);
      if (change) now = { ...now, ...change };
    }
  }
  return now;
}

function joined(parameter: string): number[] {
  const [code = 0, ...rest] = parameter.split(':').map(Number);
  if (code === 4) return [rest[0] === 0 ? 24 : 4]; // kinds of underlines
  return rest[0] === 2 && rest.length > 4 ? [code, 2, ...rest.slice(-3)] : [code, ...rest];
}

function oneOfSixteen(code: number): Partial<Style> | undefined {
  const digit = code % 10;
  if (digit > 7) return undefined;
  const tens = Math.floor(code / 10);
  if (tens === 3 || tens === 9) return { ink: digit + (tens === 9 ? 8 : 0) };
  return tens === 4 || tens === 10 ? { ground: digit + (tens === 10 ? 8 : 0) } : undefined;
}

/** Reads `5;N` or `2;R;G;B`. `length`: how many codes belong to it. */
function manyColours([kind, ...rest]: readonly number[]): { colour?: Colour; length: number } {
  const isByte = (value: number | undefined) => value !== undefined && value >= 0 && value < 256;
  if (kind === 5) return { colour: isByte(rest[0]) ? rest[0] : undefined, length: 2 };
  if (kind !== 2) return { length: 1 };
  const bytes = rest.slice(0, 3);
  return { colour: bytes.length === 3 && bytes.every(isByte) ? hexOf(bytes) : undefined, length: 4 };
}

const hexOf = (bytes: readonly number[]) => `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** xterm's first sixteen colours. */
const kSixteen = ['#000000', '#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#e5e5e5', '#7f7f7f', '#ff0000', '#00ff00', '#ffff00', '#5c5cff', '#ff00ff', '#00ffff', '#ffffff'];
/** The steps of a channel in the cube of 216 colours. */
const kSteps = [0, 95, 135, 175, 215, 255];

/** Returns `#rrggbb`. */
export function rgbOf(colour: Colour): string {
  if (typeof colour === 'string') return colour;
  if (colour < 16) return kSixteen[colour]!;
  if (colour >= 232) return hexOf(Array(3).fill(8 + 10 * (colour - 232)));
  const at = colour - 16;
  return hexOf([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => kSteps[step]!));
}

/** The relative luminance of `#rrggbb`, as WCAG defines it. */
function luminance(rgb: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(rgb.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const kEnough = 4.5;

/** Returns the ink for a ground: the wanted one if it can be read there, otherwise black or white. */
export function inkOn(ground: string, wanted: string | undefined): string {
  if (wanted !== undefined && contrast(wanted, ground) >= kEnough) return wanted;
  return contrast('#000000', ground) >= contrast('#ffffff', ground) ? '#000000' : '#ffffff';
}
