import type { ReconciliationRunBody, ReconciliationRunResult } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { reconciliation as text } from '../../messages/generated/texts.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

type Provider = ReconciliationRunBody['provider']

const providers: Readonly<Record<string, string>> = Object.fromEntries(
  ['adyen', 'circle', 'flutterwave', 'mpesa', 'pawapay', 'paystack', 'stripe', 'truelayer', 'yellowcard'].map(
    (name) => [name, name],
  ),
)
const dayMs = 86_400_000

interface RunDialogProps {
  onFound: (result: ReconciliationRunResult) => void
  onClose: () => void
}

export function RunDialog({ onFound, onClose }: RunDialogProps): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.run.title}
      text={text.run.text}
      submitLabel={text.run.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = {
          provider: field('provider') as Provider, // the options are providers
          since: new Date(`${field('since')}T00:00:00`).toISOString(),
        }
        onFound(await api.reconciliation.run(body, { idempotencyKey }))
        await Promise.all(
          ['reconciliation', 'exceptions'].map((name) => client.invalidateQueries({ queryKey: [name] })),
        )
      }}
    >
      <SelectField name="provider" label={text.provider} options={providers} />
      <TextField
        name="since"
        label={text.run.since}
        type="date"
        required
        defaultValue={new Date(Date.now() - dayMs).toISOString().slice(0, 10)}
      />
    </FormDialog>
  )
}
