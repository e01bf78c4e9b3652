interface MakeAndModel {
  readonly make: string | null;
  readonly model: string | null;
  readonly yearModel: number | null;
}

/** Such as "Isuzu Elf 2020"; null where none of it is known. */
export function makeAndModel({ make, model, yearModel }: MakeAndModel): string | null {
  const known = [make, model, yearModel].filter((one) => one !== null && one !== '');
  return known.length === 0 ? null : known.join(' ');
}
