export function failedLine(what: string, ...reasons: string[]): string;
