import type { Dispute, DisputesAddEvidenceBody } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { disputes as text } from '../../messages/generated/texts.ts'
import { AreaField, SelectField } from '../../ui/fields.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

type Purpose = NonNullable<DisputesAddEvidenceBody['files']>[number]['purpose']

interface EvidenceDialogProps {
  dispute: Dispute
  onClose: () => void
  onAdded: () => Promise<void>
}

export function EvidenceDialog({ dispute, onClose, onAdded }: EvidenceDialogProps): ReactElement {
  const [file, setFile] = useState<File>()
  return (
    <FormDialog
      title={text.add.title}
      text={text.add.text}
      submitLabel={text.add.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const value = field('value')
        const body: DisputesAddEvidenceBody = {
          ...(value !== '' && { texts: { [field('field')]: value } }),
          ...(file && {
            files: [
              {
                purpose: field('purpose') as Purpose, // the options are the purposes
                name: file.name.replaceAll(/[^\w .()-]/g, '_').slice(-120),
                content: await base64Of(file),
              },
            ],
          }),
        }
        await api.disputes.addEvidence(dispute.dispute_id, body, { idempotencyKey })
        await onAdded()
      }}
    >
      <SelectField name="field" label={text.add.field} options={text.fields} />
      <AreaField name="value" label={text.add.value} maxLength={20_000} />
      <SelectField name="purpose" label={text.add.purpose} options={text.purposes} />
      <FileField
        name="files"
        label={text.add.file}
        hint={text.add.fileHint}
        accept="application/pdf,image/jpeg,image/png"
        onChoose={setFile}
      />
    </FormDialog>
  )
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const { result } = reader
      resolve(typeof result === 'string' ? (result.split(',', 2)[1] ?? '') : '')
    })
    reader.addEventListener('error', () => reject(new Error(reader.error?.message ?? '')))
    reader.readAsDataURL(file)
  })
