import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { ownAddress } from '../../api/own-address.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { uploadPicture } from '../../api/upload.ts'
import { Initials } from '../../parts/person.tsx'
import { PictureChoice } from '../../parts/picture-choice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { readFile } from '../../records/file/reads.ts'

/** One's own picture. Another one takes its place at once; to remove it deletes its file, so that is asked first. */
export const Picture = ({ profile }: { profile: Schemas['UserProfile'] }) => {
  const { account: words, shell } = useWords()
  const { avatarFileId: id, fullName } = profile
  const [isRemoving, setRemoving] = useState(false)
  const file = useGet(['/files', id], (signal) => readFile(id ?? '', signal), { isOff: id === null })
  const change = useChange<File | null, unknown>('me', async (chosen) => {
    const avatarFileId = chosen && (await uploadPicture(chosen, 'avatar'))
    return answer(api.PATCH('/me', { body: { avatarFileId } }))
  })
  return (
    <>
      <PictureChoice
        label={words.picture}
        shown={
          id !== null && file.data ? (
            <img className="portrait" src={ownAddress(file.data.downloadUrl)} alt="" />
          ) : (
            <Initials name={fullName} isLarge />
          )
        }
        isThere={id !== null}
        isBusy={change.isPending}
        problem={change.error ?? file.error}
        onChoose={(chosen) => change.mutate(chosen, { onSuccess: () => toast(words.pictureSaved) })}
        onRemove={() => setRemoving(true)}
      />
      <Confirm
        title={words.pictureRemoveTitle}
        verb={shell.remove}
        isDangerous
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          await change.mutateAsync(null)
          toast(words.pictureRemoved)
        }}
      >
        <p>{words.pictureRemoveText}</p>
      </Confirm>
    </>
  )
}
