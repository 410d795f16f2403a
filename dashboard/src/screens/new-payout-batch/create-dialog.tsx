import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { payoutBatches as text } from '../../messages/generated/texts.ts'
import { payoutBatchPath } from '../../paths.ts'
import { showToast } from '../../shell/toasts.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Totals } from '../payout-batches/totals.tsx'
import { sendCsv, type BatchCheck } from './send-csv.ts'

const words = text.newBatch

interface CreateDialogProps {
  csv: string
  /** A new id for each chosen file, so that each file has its own idempotency key. */
  fileId: string
  checked: BatchCheck
  onClose: () => void
}

export function CreateDialog({ csv, fileId, checked, onClose }: CreateDialogProps): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  const isAgain = checked.duplicate_of !== null
  return (
    <FormDialog
      title={words.confirmTitle}
      subject={`create ${fileId}`}
      text={
        <>
          <p>{checked.needs_approval ? words.needsApproval : words.sentAtOnce}</p>
          {isAgain && <p>{words.duplicateText}</p>}
          <Totals totals={checked.totals} />
        </>
      }
      submitLabel={isAgain ? words.submitAgain : words.submit}
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        const query = isAgain ? { allow_duplicate: true } : {}
        const created = await sendCsv(csv, query, { idempotencyKey })
        showToast(words.done)
        await client.invalidateQueries({ queryKey: ['payout-batches'] })
        if ('batch_id' in created) await navigate(payoutBatchPath(created.batch_id))
      }}
    />
  )
}
