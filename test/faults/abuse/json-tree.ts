import type { Random } from '../random.ts';

/** JSON as its grammar has it, so that what no JavaScript value can be is said, too: doubled names, -0, 1e400. */
export type Tree =
  | { readonly kind: 'object'; readonly members: Member[] }
  | { readonly kind: 'array'; readonly items: Tree[] }
  | { readonly kind: 'token'; readonly text: string };

export interface Member {
  /** With its quotes. */
  readonly name: string;
  readonly value: Tree;
}

/** A place in a tree, with what can be done to what is there. */
export interface Place {
  /** The name of the innermost member around it; empty at the root. */
  readonly name: string;
  readonly tree: Tree;
  readonly holder: Tree & { readonly kind: 'object' };
  /** Among the members of its holder. */
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

/** With white space between the tokens now and then. */
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

/** Characters of its tokens and names. */
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

/** Every place below the root that is the value of a member. */
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
