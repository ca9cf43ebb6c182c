import { readOds } from './ods.ts'
import { UnreadableSheet, type Rows } from './sheet.ts'
import { openArchive } from './xlsx/archive.ts'
import { readXlsx } from './xlsx/read.ts'

/** The first sheet of a workbook in an archive: of LibreOffice, whose cells are in content.xml, or of Excel. @throws UnreadableSheet */
export const readArchive = async (bytes: Buffer): Promise<Rows> => {
  try {
    const archive = await openArchive(bytes)
    const content = await archive.open('content.xml')
    return await (content ? readOds(content) : readXlsx(archive))
  } catch (error) {
    throw error instanceof UnreadableSheet ? error : new UnreadableSheet('not_a_table')
  }
}
