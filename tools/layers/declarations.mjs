// Which functions and variables a C++ file declares, and which it defines: enough of the language for our own sources,
// as clang-format leaves them.

/** The text with comments, preprocessor lines and what is in quotes blanked out; places and lines stay. */
export function bare(text) {
  const blank = (s) => s.replace(/[^\n]/g, ' ');
  return text
    .replace(/R"([^\s()\\]*)\([^]*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![\w])'(?:[^'\\\n]|\\.)+'|\/\/[^\n]*|\/\*[^]*?\*\//g, (s) => (s.startsWith('/') ? blank(s) : `"${blank(s.slice(2))}"`))
    .replace(/^[ \t]*#(?:[^\n]*\\\n)*[^\n]*/gm, blank);
}

/** The place behind the bracket that closes the one at `start`. */
function closing(text, start) {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if ('({['.includes(text[i])) depth++;
    else if (')}]'.includes(text[i]) && --depth === 0) return i + 1;
  }
  return text.length;
}

/** Without attributes and template<…>, whose brackets say nothing of what is declared. */
function simplified(head) {
  let out = head.replace(/\[\[[^\]]*\]\]/g, ' ').replace(/\balignas\s*\([^)]*\)/g, ' ').trim();
  while (/^template\s*</.test(out)) {
    let depth = 0;
    let i = out.indexOf('<');
    for (; i < out.length; i++) {
      if (out[i] === '<') depth++;
      else if (out[i] === '>' && --depth === 0) break;
    }
    out = out.slice(i + 1).trim().replace(/^requires\b.*?(?=\b(?:class|struct|void|auto|bool)\b)/, '');
  }
  return out;
}

const kName = /((?:~?\w+(?:<[^<>()]*>)?::)*(?:operator\s*(?:\(\)|[^\s\w(]+|\w[\w:<>]*)|~?\w+))\s*$/;

/** { kind, name } of a statement or of what stands before a body; undefined: neither a function nor a variable. */
function entity(head) {
  const text = simplified(head).replace(/\s*\{[^]*$/, '');
  if (!text || /^(using|typedef|friend|static_assert|enum|public|private|protected|return|namespace)\b/.test(text)) return undefined;
  const paren = text.replace(/operator\s*\(\)/, 'operator__').search(/\(/);
  const equals = text.search(/(?<![=!<>])=(?!=)/);
  const isOperator = /\boperator\b/.test(text);
  if (paren >= 0 && (equals < 0 || paren < equals || isOperator)) {
    const start = isOperator ? text.indexOf('(', text.search(/\boperator\b/) + (/operator\s*\(\)/.test(text) ? text.match(/operator\s*\(\)/)[0].length : 8)) : paren;
    const name = text.slice(0, start).match(kName)?.[1].replace(/\s+/g, '').replace(/<[^<>]*>(?=::)/g, '');
    return name && { kind: 'function', name, text };
  }
  const declared = (equals < 0 ? text : text.slice(0, equals)).replace(/(\[[^\]]*\]\s*)+$/, '').trim();
  if (/^(class|struct|union)\s+[\w:]+$/.test(declared)) return undefined; // a class that is named ahead
  const name = declared.match(/[\s*&>]((?:\w+::)*\w+)$/)?.[1];
  return name && { kind: 'variable', name, text };
}

const isLocal = (text) => /^(?:inline\s+)?static\b/.test(text);

/**
 * [{ kind, name, line, defines }] of all that has external linkage and stands at namespace or class scope; names are
 * qualified by both. What is inline, constexpr, deleted or defaulted is left out, as are templates that are declared and
 * defined at once: they are defined wherever they are seen.
 */
export function declarationsOf(source) {
  const text = bare(source);
  const found = [];
  const lineAt = (place) => text.slice(0, place).split('\n').length;
  const note = (scope, head, place, defines) => {
    if (scope.hidden) return;
    const what = entity(head);
    if (!what || /\b(constexpr|consteval|inline)\b/.test(what.text.split('(')[0])) return;
    if (/=\s*(delete|0)\s*$/.test(what.text)) return;
    if (/=\s*default\s*$/.test(what.text)) defines = true;
    const inClass = scope.kind === 'class';
    if (what.kind === 'variable') {
      if (inClass && !(isLocal(what.text) && !what.text.includes('='))) return;
      if (!inClass && isLocal(what.text)) return;
      if (!inClass) defines = !/^extern\b/.test(simplified(head)) || what.text.includes('=');
      else defines = false;
    } else if (!inClass && isLocal(what.text)) return;
    if (defines && inClass) return; // in the class: inline
    found.push({ kind: what.kind, name: [...scope.path, what.name].join('::'), line: lineAt(place), defines });
  };

  const block = (start, end, scope) => {
    let begin = start; // of the statement that is read
    for (let i = start; i < end; i++) {
      const head = () => text.slice(begin, i);
      const place = () => begin + head().search(/\S|$/);
      if (text[i] === '(' || text[i] === '[') i = closing(text, i) - 1;
      else if (text[i] === ';') {
        note(scope, head(), place(), false);
        begin = i + 1;
      } else if (text[i] === ':' && /^\s*(public|private|protected)\s*$/.test(head())) begin = i + 1;
      else if (text[i] === '{') {
        const after = closing(text, i);
        const inner = scopeOf(scope, head());
        if (inner) block(i + 1, after - 1, inner);
        if (inner) begin = after;
        else if (isBody(head(), text[i - 1])) {
          note(scope, head(), place(), true);
          begin = after;
        }
        i = after - 1;
      }
    }
  };
  block(0, text.length, { kind: 'namespace', path: [], hidden: false });
  return found;
}

/** The namespace or class that a brace opens; undefined: something else. */
function scopeOf(scope, head) {
  const text = simplified(head);
  const space = text.match(/^(?:inline\s+)?namespace\b\s*([\w:]*)$/);
  if (space) return { kind: 'namespace', path: [...scope.path, ...space[1].split('::').filter(Boolean)], hidden: scope.hidden || !space[1] };
  if (/^extern\s*""?\s*"?$/.test(text) || /^extern\s+"\s*"$/.test(text)) return { ...scope, kind: 'namespace' };
  const type = text.match(/^(?:class|struct|union)\s+([\w:]+)(?:\s*<.*>)?(?:\s+final)?(?:\s*:(?!:)[^]*)?$/);
  if (type && !/[()=]/.test(text.split(/:(?!:)/)[0])) return { kind: 'class', path: [...scope.path, ...type[1].split('::')], hidden: scope.hidden };
}

/** Whether a brace begins the body of a function: not an initializer of a variable or of a member. */
function isBody(head, before) {
  const text = simplified(head);
  if (!text.includes('(')) return false;
  if (/(?<![=!<>])=(?!=)/.test(text.split('(')[0]) && !/\boperator\b/.test(text)) return false;
  const members = /\)\s*(?:const|noexcept|\s)*:(?!:)/.test(text); // a constructor's
  return !members || /\s/.test(before);
}
