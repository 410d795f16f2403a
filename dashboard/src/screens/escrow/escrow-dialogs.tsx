import type { Escrow } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { escrows } from '../../messages/generated/texts.ts'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { AmountField } from '../../ui/money-fields.tsx'
import { accountOptions, useAccounts, useDone } from './use-escrow.ts'

interface DialogProps {
  escrow: Escrow
  onClose: () => void
}

export function FundDialog({ escrow, onClose }: DialogProps): ReactElement {
  const text = escrows.fund
  const done = useDone()
  const options = accountOptions(useAccounts(escrow).data)
  return (
    <FormDialog
      title={text.title}
      subject={`fund ${escrow.escrow_id}`}
      text={text.text}
      submitLabel={text.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const reference = field('reference')
        const body = {
          account_id: field('account_id'),
          amount: field('amount'),
          ...(reference !== '' && { reference }),
        }
        await api.escrows.fund(escrow.escrow_id, body, { idempotencyKey })
        await done(text.done)
      }}
    >
      <SelectField
        name="account_id"
        label={text.account}
        hint={Object.keys(options).length === 0 ? text.none : undefined}
        required
        defaultValue=""
        placeholder={text.choose}
        options={options}
      />
      <AmountField name="amount" label={`${text.amount} (${escrow.currency})`} />
      <TextField name="reference" label={text.reference} maxLength={200} />
    </FormDialog>
  )
}

export function CancelDialog({ escrow, onClose }: DialogProps): ReactElement {
  const text = escrows.cancel
  const done = useDone()
  return (
    <FormDialog
      title={text.title}
      subject={`cancel ${escrow.escrow_id}`}
      text={text.text}
      submitLabel={text.submit}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        await api.escrows.cancel(escrow.escrow_id, { reason: field('reason') }, { idempotencyKey })
        await done(text.done)
      }}
    >
      <AreaField name="reason" label={text.reason} required maxLength={500} />
    </FormDialog>
  )
}
