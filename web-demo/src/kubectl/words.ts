// Splits a command line as a shell does.

export interface Piped {
  words: string[];
  /** The text of `<<EOF`, for a command that reads its input. */
  input?: string;
}

/** Returns the commands between pipes. Throws an Error if a quote is not closed. */
export function splitLine(text: string): Piped[] {
  const [first = '', ...rest] = text.split('\n');
  const here = /<<-?\s*['"]?(\w+)['"]?/.exec(first);
  let input: string | undefined;
  if (here) {
    const end = rest.findIndex((line) => line.trim() === here[1]);
    input = `${(end < 0 ? rest : rest.slice(0, end)).join('\n')}\n`;
  }
  const line = here ? first.replace(here[0], '') : text.replaceAll('\\\n', ' ');
  const commands: Piped[] = [{ words: [] }];
  for (const token of tokensOf(line)) {
    if (token === kPipe) commands.push({ words: [] });
    else commands.at(-1)!.words.push(token.text);
  }
  commands[0]!.input = input;
  return commands;
}

const kPipe = Symbol('pipe');

function tokensOf(line: string): ({ text: string } | typeof kPipe)[] {
  const tokens: ({ text: string } | typeof kPipe)[] = [];
  let word: string | undefined;
  const end = () => {
    if (word !== undefined) tokens.push({ text: word });
    word = undefined;
  };
  for (let i = 0; i < line.length; i++) {
    const at = line[i]!;
    if (at === "'" || at === '"') {
      let part = '';
      for (i++; i < line.length && line[i] !== at; i++) {
        if (at === '"' && line[i] === '\\' && /["\\$`]/.test(line[i + 1] ?? '')) i++;
        part += line[i];
      }
      if (i >= line.length) throw new Error(`the quote ${at} is not closed`);
      word = (word ?? '') + part;
    } else if (at === '\\' && i + 1 < line.length) word = (word ?? '') + line[++i];
    else if (/\s/.test(at)) end();
    else if (at === '|') {
      end();
      tokens.push(kPipe);
    } else word = (word ?? '') + at;
  }
  end();
  return tokens;
}
