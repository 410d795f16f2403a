import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { exception as text, settings } from '../../messages/generated/texts.ts'
import { AreaField, SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { isHeld } from '../members/parts.tsx'
import { useSettled, type ActionProps } from './use-settled.ts'

const Comment = (): ReactElement => <AreaField name="comment" label={text.comment} required maxLength={500} />

export function ReleaseDialog({ exception, onClose }: ActionProps): ReactElement {
  const settled = useSettled()
  return (
    <FormDialog
      title={text.release.title}
      subject={`release ${exception.exception_id}`}
      text={text.release.text}
      submitLabel={text.release.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const outcome = field('outcome') === 'kept' ? 'kept' : 'returned'
        const body = { outcome, comment: field('comment') } as const
        await api.exceptions.releaseMoney(exception.exception_id, body, { idempotencyKey })
        await settled(text.release.done)
      }}
    >
      <SelectField name="outcome" label={text.release.outcome} options={text.release.outcomes} />
      <Comment />
    </FormDialog>
  )
}

export function AssignDepositDialog({ exception, onClose }: ActionProps): ReactElement {
  const settled = useSettled()
  const { data } = useQuery({
    queryKey: ['virtual-accounts', 'choice'],
    queryFn: ({ signal }) => api.virtualAccounts.list({ limit: 100 }, { signal }).toArray({ limit: 500 }),
  })
  const accounts = (data ?? []).filter(
    ({ currency }) => exception.held === null || currency === exception.held.currency,
  )
  const options = Object.fromEntries(
    accounts.map((one) => [one.account_id, `${one.virtual_account_name} · ${one.currency}`]),
  )
  return (
    <FormDialog
      title={text.assignDeposit.title}
      subject={`assign-deposit ${exception.exception_id}`}
      text={text.assignDeposit.text}
      submitLabel={text.assignDeposit.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = { account_id: field('account_id'), comment: field('comment') }
        const answer = await api.exceptions.assignDeposit(exception.exception_id, body, { idempotencyKey })
        await settled(isHeld(answer) ? settings.held : text.assignDeposit.done)
      }}
    >
      <SelectField
        name="account_id"
        label={text.assignDeposit.account}
        options={options}
        required
        {...(data && accounts.length === 0 && { hint: text.assignDeposit.none })}
      />
      <Comment />
    </FormDialog>
  )
}

export function ReturnDepositDialog({ exception, onClose }: ActionProps): ReactElement {
  const settled = useSettled()
  return (
    <FormDialog
      title={text.returnDeposit.title}
      subject={`return-deposit ${exception.exception_id}`}
      text={text.returnDeposit.text}
      submitLabel={text.returnDeposit.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = { comment: field('comment') }
        await api.exceptions.returnDeposit(exception.exception_id, body, { idempotencyKey })
        await settled(text.returnDeposit.done)
      }}
    >
      <Comment />
    </FormDialog>
  )
}
