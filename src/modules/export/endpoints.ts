import { change, type Endpoint } from '#kernel/contract/endpoint.ts'
import { FILE_ADDRESS, type FileAddresses } from '#modules/files/index.ts'
import type { FileStore } from '#ports/files/port.ts'
import { Export, ExportRequest } from './schemas.ts'
import { archiveKey, findExport, requestExport, toExport } from './service.ts'

interface Deps {
  files: FileStore
  addresses: FileAddresses
}

export const exportEndpoints = ({ files, addresses }: Deps): readonly Endpoint[] => [
  change({
    id: 'export.request',
    method: 'POST',
    path: '/export',
    summary: 'Export everything of the institute, and ask how far it is',
    description:
      'Answers the export of the institute, and begins one where there is none. Ask again every few seconds: `progress` rises, and once `status` is `done` each answer has an address to download the archive, good for 5 minutes, as often as it is asked for. An export that has ended, well or not, is answered for 24 hours and then removed with its archive; with `fresh` a new one is begun in its place at once. While one is under way every request answers that one. It works while the institute is locked, and does not count as stored bytes of the plan.\n\nThe archive is a ZIP. `csv/` and `json/` have every table of the institute, its members’ accounts, settings and audit log among them, as they were at one moment; secrets (passwords, keys, tokens) are left out. CSV is UTF-8 with a byte order mark, and a text that a spreadsheet program would take for a formula (it begins with `=`, `+`, `-`, `@`, a tab or a carriage return) has an apostrophe in front; JSON has nothing changed. `files/` has the uploaded files under their ids and names, `manifest.json` the size and SHA-256 of each entry and the files whose bytes are missing (one that is deleted while the export is made is), `README.txt` explains it in Arabic, Hebrew and English. When the server ends while it makes an export, it makes it anew.',
    access: 'owner',
    lockExempt: true,
    body: ExportRequest,
    bodyOptional: true,
    reply: Export,
    credential: FILE_ADDRESS,
    lasting: true,
    prepare: async ({ whole, tenant, request }) => {
      const row = await findExport(whole)
      const isLost = row?.status === 'done' && (await files.size(archiveKey(row))) === undefined
      return { signer: await addresses.signer(tenant.id, request), lost: isLost ? row.id : undefined }
    },
    handle: async ({ tx, body, prepared: { signer, lost } }) =>
      toExport(await requestExport(tx, { fresh: body.fresh, lost }), { signer, slug: tx.tenant.slug }, tx.now),
  }),
]
