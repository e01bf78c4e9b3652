export function failedLine(name: string, ...reasons: string[]): string;
