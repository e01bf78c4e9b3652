import type { Finding } from '../transmission-words.ts';

/** A finding with the part of the transmission that it is about. */
export interface PlacedFinding {
  /** "Vehicle 4"; null for what is about the whole transmission. */
  readonly vehicle: string | null;
  readonly finding: Finding;
}

export interface LevelOfFindings {
  readonly level: number;
  readonly findings: readonly PlacedFinding[];
}

/** The findings by level, and in a level by vehicle: what is about the whole transmission comes first. */
export function groupFindings(findings: readonly Finding[]): LevelOfFindings[] {
  const levels = [...new Set(findings.map(({ level }) => level))].sort((a, b) => a - b);
  return levels.map((level) => ({
    level,
    findings: findings
      .filter((finding) => finding.level === level)
      .map((finding) => ({ finding, place: placeOf(finding.field) }))
      .sort((a, b) => comparePlaces(a.place, b.place))
      .map(({ finding, place }) => ({ vehicle: place && wordsOf(place), finding })),
  }));
}

interface Place {
  readonly list: string;
  readonly position: number;
}

/** The list of a registration, and those of an amendment, with the words for one of its vehicles. */
const LISTS: Readonly<Record<string, string>> = {
  vehicles: 'Vehicle',
  'changes.vehicles.add': 'Added vehicle',
  'changes.vehicles.update': 'Changed vehicle',
  'changes.vehicles.remove': 'Removed vehicle',
};

const ELEMENT = /^([\w.]+)\[(\d+)\]/;

function placeOf(field: string | null): Place | null {
  const [, list = '', position = ''] = ELEMENT.exec(field ?? '') ?? [];
  return list in LISTS ? { list, position: Number(position) } : null;
}

function wordsOf({ list, position }: Place): string {
  return `${LISTS[list]} ${position + 1}`;
}

function comparePlaces(a: Place | null, b: Place | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return a.list.localeCompare(b.list) || a.position - b.position;
}
