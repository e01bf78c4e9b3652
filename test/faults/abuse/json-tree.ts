import type { Random } from '../random.ts';

/** A syntax tree of JSON. It can express texts that no JavaScript value represents: repeated names, -0, 1e400. */
export type Tree =
  | { readonly kind: 'object'; readonly members: Member[] }
  | { readonly kind: 'array'; readonly items: Tree[] }
  | { readonly kind: 'token'; readonly text: string };

export interface Member {
  /** Including the quotes. */
  readonly name: string;
  readonly value: Tree;
}

/** A position in a tree whose value can be replaced. */
export interface Place {
  /** The name of the innermost member around it; empty at the root. */
  readonly name: string;
  readonly tree: Tree;
  readonly holder: Tree & { readonly kind: 'object' };
  /** The index among the members of `holder`. */
  readonly index: number;
  replace(by: Tree): void;
}

export function token(text: string): Tree {
  return { kind: 'token', text };
}

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(treeOf) };
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => ({ name: JSON.stringify(name), value: treeOf(member) }));
    return { kind: 'object', members };
  }
  return token(JSON.stringify(value));
}

const SPACES = ['', ' ', '\n', '\t', '\r\n', '   '];

/** Sometimes adds white space between the tokens. */
export function textOf(tree: Tree, random: Random): string {
  const space = random.percent(10) ? () => random.pick(SPACES) : () => '';
  const write = (node: Tree): string => {
    switch (node.kind) {
      case 'token':
        return node.text;
      case 'array':
        return `[${space()}${node.items.map(write).join(`${space()},${space()}`)}${space()}]`;
      case 'object': {
        const members = node.members.map(
          ({ name, value }) => `${name}${space()}:${space()}${write(value)}`,
        );
        return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
      }
    }
  };
  return write(tree);
}

/** The number of characters of all tokens and names. */
export function sizeOf(tree: Tree): number {
  switch (tree.kind) {
    case 'token':
      return tree.text.length;
    case 'array':
      return tree.items.reduce((sum, item) => sum + sizeOf(item), 0);
    case 'object':
      return tree.members.reduce((sum, { name, value }) => sum + name.length + sizeOf(value), 0);
  }
}

/** The positions of all members' values below the root. */
export function placesOf(root: Tree): Place[] {
  const places: Place[] = [];
  const visit = (tree: Tree): void => {
    if (tree.kind === 'array') {
      for (const item of tree.items) visit(item);
    } else if (tree.kind === 'object') {
      tree.members.forEach(({ name, value }, index) => {
        places.push({
          name: name.slice(1, -1),
          tree: value,
          holder: tree,
          index,
          replace: (by) => {
            tree.members[index] = { name, value: by };
          },
        });
        visit(value);
      });
    }
  };
  visit(root);
  return places;
}
