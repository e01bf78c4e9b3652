import { crc32 } from 'node:zlib';

/** A cell of a workbook: a text, a number as Excel writes it, or a day as its number. */
export type WorkbookCell = string | { readonly number: string } | { readonly day: number };

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
/** Style 1 of the workbook shows a number as a date. */
const STYLES = `<styleSheet xmlns="${SPREADSHEET}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`;

/** An .xlsx file with one sheet, as small as the format allows. Texts are in a table of their own, as Excel writes them. */
export function makeWorkbook(rows: readonly (readonly WorkbookCell[])[]): Buffer {
  const texts: string[] = [];
  const xmlRows = rows.map(
    (cells, index) =>
      `<row r="${index + 1}">${cells.map((cell, at) => cellOf(cell, at, index, texts)).join('')}</row>`,
  );
  return zip({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
    'xl/workbook.xml': `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relationship(1, 'worksheet', 'worksheets/sheet1')}${relationship(2, 'sharedStrings', 'sharedStrings')}${relationship(3, 'styles', 'styles')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${SPREADSHEET}">${texts.map((text) => `<si><t xml:space="preserve">${text.replaceAll('&', '&amp;')}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': STYLES,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SPREADSHEET}"><sheetData>${xmlRows.join('')}</sheetData></worksheet>`,
  });
}

function relationship(id: number, type: string, target: string): string {
  return `<Relationship Id="rId${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}.xml"/>`;
}

function cellOf(cell: WorkbookCell, column: number, row: number, texts: string[]): string {
  const name = `${String.fromCharCode(65 + column)}${row + 1}`;
  if (typeof cell === 'string') return `<c r="${name}" t="s"><v>${texts.push(cell) - 1}</v></c>`;
  return 'day' in cell
    ? `<c r="${name}" s="1"><v>${cell.day}</v></c>`
    : `<c r="${name}"><v>${cell.number}</v></c>`;
}

/** Stores files without compressing them (APPNOTE.TXT 4.3). */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
    const nameBytes = Buffer.from(name);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt32LE(crc32(data), 10);
    header.writeUInt32LE(data.length, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt16LE(nameBytes.length, 22);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    const entry = [Buffer.from('PK\x03\x04', 'latin1'), header, nameBytes, data];
    local.push(...entry);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), header, position, nameBytes);
    offset += Buffer.concat(entry).length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
