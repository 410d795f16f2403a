import type { VirtualAccount } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useBeneficiaries } from '../../api/use-beneficiaries.ts'
import { virtualAccounts } from '../../messages/generated/texts.ts'
import { showToast } from '../../shell/toasts.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { AmountField } from '../../ui/money-fields.tsx'
import { BeneficiaryField } from '../new-payment/beneficiary-field.tsx'

const { transferForm, withdrawForm, freezeForm, unfreezeForm } = virtualAccounts

interface DialogProps {
  account: VirtualAccount
  onClose: () => void
}

/** Shows what was done, and reloads the account with its transactions. */
function useDone(): (text: string) => Promise<void> {
  const client = useQueryClient()
  return (text) => {
    showToast(text)
    return client.invalidateQueries({ queryKey: ['virtual-accounts'] })
  }
}

const described = (description: string): { description?: string } =>
  description === '' ? {} : { description }

const accountLimit = 500

export function TransferDialog({ account, onClose }: DialogProps): ReactElement {
  const done = useDone()
  const { currency } = account
  const { data } = useQuery({
    queryKey: ['virtual-accounts', 'to-choose', currency],
    queryFn: ({ signal }) =>
      api.virtualAccounts
        .list({ currency, status: 'active', limit: 100 }, { signal })
        .toArray({ limit: accountLimit }),
  })
  const others = (data ?? []).filter(
    ({ account_id, account_type, custody }) =>
      account_id !== account.account_id && account_type !== 'escrow' && custody === account.custody,
  )
  const names = others.map(
    ({ account_id, virtual_account_name: name, customer_id: customer }): [string, string] => [
      account_id,
      [name, customer, account_id.slice(0, 8)].filter((part) => part !== '').join(' · '),
    ],
  )
  return (
    <FormDialog
      title={transferForm.title}
      subject={`transfer ${account.account_id}`}
      text={transferForm.text}
      submitLabel={transferForm.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = {
          to_account_id: field('to_account_id'),
          amount: field('amount'),
          ...described(field('description')),
        }
        await api.virtualAccounts.transfer(account.account_id, body, { idempotencyKey })
        await done(transferForm.done)
      }}
    >
      <SelectField
        name="to_account_id"
        label={transferForm.to}
        hint={data && others.length === 0 ? transferForm.none : undefined}
        required
        defaultValue=""
        placeholder={transferForm.choose}
        options={new Map(names)}
      />
      <AmountField name="amount" label={`${transferForm.amount} (${currency})`} />
      <TextField name="description" label={transferForm.description} maxLength={500} />
    </FormDialog>
  )
}

export function WithdrawDialog({ account, onClose }: DialogProps): ReactElement {
  const done = useDone()
  const { data } = useBeneficiaries()
  return (
    <FormDialog
      title={withdrawForm.title}
      subject={`withdraw ${account.account_id}`}
      text={withdrawForm.text}
      submitLabel={withdrawForm.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = {
          beneficiary_id: field('beneficiary_id'),
          amount: field('amount'),
          ...described(field('description')),
        }
        await api.virtualAccounts.withdraw(account.account_id, body, { idempotencyKey })
        await done(withdrawForm.done)
      }}
    >
      <BeneficiaryField
        label={withdrawForm.beneficiary}
        beneficiaries={data?.filter(({ currency }) => currency === account.currency)}
        defaultValue=""
      />
      <AmountField name="amount" label={`${withdrawForm.amount} (${account.currency})`} />
      <TextField name="description" label={withdrawForm.description} maxLength={500} />
    </FormDialog>
  )
}

export function FreezeDialog({ account, onClose }: DialogProps): ReactElement {
  const done = useDone()
  const isFrozen = account.status === 'frozen'
  const text = isFrozen ? unfreezeForm : freezeForm
  return (
    <FormDialog
      title={text.title}
      subject={`freeze ${account.account_id}`}
      text={text.text}
      submitLabel={text.submit}
      isDangerous={!isFrozen}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const reason = field('reason')
        const body = reason === '' ? {} : { reason }
        if (isFrozen) await api.virtualAccounts.unfreeze(account.account_id, body, { idempotencyKey })
        else await api.virtualAccounts.freeze(account.account_id, body, { idempotencyKey })
        await done(text.done)
      }}
    >
      <TextField name="reason" label={text.reason} maxLength={500} />
    </FormDialog>
  )
}
