/** A program, or a series of commands, in a document. */
export interface Snippet {
  /** The word behind the fence. */
  readonly language: string;
  readonly code: string;
  /** Where it begins in the document, counted from 1. */
  readonly line: number;
  /** What the document says that it prints: the block after it, if that one is an output. */
  readonly output?: string;
}

/** The words behind the fences of outputs. */
const OUTPUTS = new Set(['text', 'json']);

/** Every fenced block of a document in order, with its output. Throws for an output that belongs to nothing. */
export function readSnippets(markdown: string): Snippet[] {
  const snippets: Snippet[] = [];
  for (const { index, 1: language = '', 2: code = '' } of markdown.matchAll(
    /^```(\w*)\n(.*?)^```$/gms,
  )) {
    const line = markdown.slice(0, index).split('\n').length;
    if (!OUTPUTS.has(language)) {
      snippets.push({ language, code, line });
      continue;
    }
    const last = snippets.pop();
    if (last === undefined || last.output !== undefined) {
      throw new Error(`Line ${line}: there is nothing before this block that prints it.`);
    }
    snippets.push({ ...last, output: code });
  }
  return snippets;
}
