import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { Ok, ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { PersonErased } from '#modules/people/index.ts'
import { AlreadyCompleted, completeUpload, copyUpload } from './complete.ts'
import type { Files } from './deps.ts'
import { listFilesOf } from './list.ts'
import { mayReadAsOwn, reachedFile } from './own-files.ts'
import { toFile } from './record.ts'
import { deleteFile, FileInUse } from './remove.ts'
import { Completion, File, OwnerType, UploadAddress, UploadRequest } from './schemas.ts'
import type { OwnerTable } from './tables.ts'
import { KeyedMutex } from './keyed-mutex.ts'
import { checkKind, checkMayUpload, requestUpload } from './uploads.ts'
import { FILE_ADDRESS } from './credentials.ts'

const CLASS_FILES =
  'Without files.write a signed-in member adds files to a session that they may change (PATCH /sessions/{id}) and to an exam that they may change: to those of kinds other than `avatar`.'

const OWN_AVATAR =
  'Without files.write a signed-in member may do so for their own avatar: a file of kind `avatar` that they uploaded and that is attached to nothing.'

export const fileEndpoints = (
  { addresses, files }: Omit<Files, 'alsoOffered'>,
  mutex = new KeyedMutex(),
): readonly Endpoint[] => [
  change({
    id: 'files.upload-url',
    method: 'POST',
    path: '/files/upload-url',
    summary: 'Ask for an address to upload to',
    description: `The address takes one body of exactly \`sizeBytes\` with the header Content-Type \`mimeType\`, by PUT and without any other credential, for 15 minutes. It begins with the address at which this request was sent, where that is one of the server’s own, else with the one that is set for the server. Sent again before it is completed, the later body counts. Where files are in a bucket, the address is that of its store, which checks length and type, and answers in its own way. What is not completed is removed after 24 hours. Other types than the named are 422, and an avatar is an image. Where the plan limits maxStorageBytes, the bytes count from now on, and no longer once the address has expired unused. ${OWN_AVATAR} ${CLASS_FILES} A new upload of an avatar then ends the one before it.`,
    access: 'files.write',
    ownToo: true,
    body: UploadRequest,
    reply: UploadAddress,
    fails: [QuotaExceeded],
    credential: FILE_ADDRESS,
    prepare: async ({ caller, tenant, body, request }) => {
      checkMayUpload(caller, body.kind)
      checkKind(body)
      return addresses.signer(tenant.id, request)
    },
    handle: ({ tx, caller, body, prepared: signer }) => requestUpload(tx, { caller, signer, files }, body),
  }),
  change({
    id: 'files.complete',
    method: 'POST',
    path: '/files/complete',
    summary: 'Make an upload a file',
    description: `The bytes are looked at now: 422 when nothing was uploaded, or when they have another size or SHA-256 than is said or are not of the type. \`kind\`, \`mimeType\` and \`sizeBytes\` must be as the upload was asked for; \`originalName\` may be another. A storageKey that was not given out to this institute is 404, one that has become a file already 409 with details.fileId; after 10 tries an upload is 404, too. With \`fileId\` the bytes, name and type of that file are replaced, and its old address leads nowhere; it stays attached where it is unless another record or label is named. \`entityType\` student, guardian, staff, branch, course, group, invoice, progress_report, session, exam or user (a member) names a record, \`entityId\`, that the caller reaches (404); it cannot be deleted while files are attached to it, and a session of the weekly times that would be removed is cancelled. Any other word is a label of the caller’s own, with or without an \`entityId\`, which is kept as it is: such a file is reached by files.read for the whole institute alone. Under a role for one branch a file follows the record that it is attached to, a student’s the student; one that no record leads to a branch is reached from the branch of whoever uploaded it. ${CLASS_FILES} ${OWN_AVATAR} Their other avatars, but the one that their profile names, are removed then.`,
    access: 'files.write',
    ownToo: true,
    body: Completion,
    status: 201,
    reply: File,
    fails: [NotFound, PersonErased, AlreadyCompleted],
    credential: FILE_ADDRESS,
    prepare: async ({ caller, tenant, db, whole, reachedBy, now, body, begin, request }) =>
      copyUpload(
        { files, signer: await addresses.signer(tenant.id, request), begin, now, mutex },
        { caller, db, whole, tenant, reachedBy },
        body,
      ),
    handle: ({ tx, caller, body, prepared }) => completeUpload(tx, caller, prepared, body),
  }),
  read({
    id: 'files.read',
    path: '/files/{id}',
    summary: 'Read a file, with an address to download it',
    description:
      'The address needs no other credential and is good for 5 minutes, as long as the file is not deleted or replaced. Without files.read a signed-in member reads their own avatar and, as a student or guardian, what is attached to their own student; who reads a session or an exam reads its files, and so do the students on its roster and their guardians (an exam’s once it is published, and with seesLearning); all others are 403 then, whether they exist or not.',
    access: 'files.read',
    ownToo: true,
    credential: FILE_ADDRESS,
    reply: File,
    handle: async ({ caller, tenant, db, whole, reachedBy, params, now, request }) => {
      const row = await reachedFile({
        caller,
        permission: 'files.read',
        find: (where) =>
          (where === 'whole' ? whole : db)
            .selectFrom('file')
            .selectAll()
            .where('id', '=', params.id)
            .executeTakeFirst(),
        isOwn: (found) => mayReadAsOwn({ caller, tenant, whole, reachedBy }, found),
      })
      return toFile(row, await addresses.signer(tenant.id, request), now)
    },
  }),
  read({
    id: 'files.of-record',
    path: '/files/of/{entityType}/{id}',
    summary: 'List the files that are attached to a record, newest first',
    description:
      'Those that GET /files/{id} reads one by one, each with an address to download it. `entityType` and `id` are those with which a file is attached. Without files.read a signed-in student or guardian lists what is attached to their own student, or to a report on that student that was sent; for those of a session or an exam what GET /files/{id} says holds; all others are 403 then.',
    access: 'files.read',
    ownToo: true,
    credential: FILE_ADDRESS,
    params: { entityType: OwnerType },
    query: pageQuery({}),
    reply: pageOf(File),
    handle: async ({ params, tenant, request, ...context }) =>
      listFilesOf({
        ...context,
        tenant,
        params: { entityType: params.entityType as OwnerTable, id: params.id },
        signer: await addresses.signer(tenant.id, request),
      }),
  }),
  change({
    id: 'files.delete',
    method: 'DELETE',
    path: '/files/{id}',
    summary: 'Delete a file',
    description: `Its bytes are removed at once, or, while a backup is being made, when that is done. 409 with details.namedBy while it is somebody’s \`avatar\` or the institute’s \`logo\`. Without files.write whoever may change a session or an exam deletes its files. ${OWN_AVATAR}`,
    access: 'files.write',
    ownToo: true,
    reply: Ok,
    fails: [FileInUse],
    handle: async ({ tx, caller, params }) => {
      await deleteFile(tx, caller, params.id)
      return ok
    },
  }),
]
