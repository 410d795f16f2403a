import type { LedgerAdjustment } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { usePeople } from '../../api/use-people.ts'
import { ledger } from '../../messages/generated/texts.ts'
import { paymentPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { AreaField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { AmountField } from '../../ui/money-fields.tsx'
import ui from '../../ui/ui.module.css'
import { LedgerLists } from '../balances/ledger-lists.tsx'
import { AccountName } from '../ledger/account-name.tsx'

const { adjustments: text } = ledger

export function Screen(): ReactElement {
  const address = useListAddress([])
  const result = useList('adjustments', address, (query, options) =>
    api.ledgerAdjustments.list(query, options),
  )
  const mayPropose = useMay('ledger:write')
  const nameOfPerson = usePeople()
  const [isProposing, setProposing] = useState(false)
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columnsWith(nameOfPerson)}
        keyOf={({ adjustment_id }) => adjustment_id}
        empty={{ title: text.empty, text: text.emptyText }}
        filters={<LedgerLists />}
        aside={
          mayPropose && (
            <Button isPrimary onClick={() => setProposing(true)}>
              {text.propose}
            </Button>
          )
        }
      />
      {isProposing && <ProposeDialog onClose={() => setProposing(false)} />}
    </>
  )
}

const columnsWith = (nameOfPerson: (userId: string) => string): readonly Column<LedgerAdjustment>[] => [
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { label: text.from, cell: ({ debit }) => <AccountName account={debit} /> },
  { label: text.to, cell: ({ credit }) => <AccountName account={credit} /> },
  { label: text.reason, cell: ({ reason }) => <div className={ui.ellipsis}>{reason}</div> },
  {
    label: text.payment,
    cell: ({ payment_id, reason }) =>
      payment_id !== null && (
        <Link to={paymentPath(payment_id)} aria-label={text.openPaymentOf(reason)}>
          {text.openPayment}
        </Link>
      ),
  },
  { label: text.proposedBy, cell: ({ proposed_by }) => nameOfPerson(proposed_by) },
  { label: text.approvedBy, cell: ({ approved_by }) => nameOfPerson(approved_by) },
  { label: text.when, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** The response is a change request, which a second person approves in Approvals. */
function ProposeDialog({ onClose }: { onClose: () => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.propose}
      subject="adjustment"
      text={text.form.text}
      submitLabel={text.form.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const paymentId = field('payment_id')
        const body = {
          debit: field('debit'),
          credit: field('credit'),
          amount: field('amount'),
          currency: field('currency').toUpperCase(),
          reason: field('reason'),
          ...(paymentId !== '' && { payment_id: paymentId }),
        }
        await api.ledgerAdjustments.create(body, { idempotencyKey })
        showToast(text.form.done)
        await client.invalidateQueries({ queryKey: ['approvals'] })
      }}
    >
      <TextField
        name="debit"
        label={text.form.debit}
        hint={text.form.debitHint}
        required
        maxLength={200}
        spellCheck={false}
      />
      <TextField name="credit" label={text.form.credit} required maxLength={200} spellCheck={false} />
      <AmountField name="amount" label={text.form.amount} />
      <TextField
        name="currency"
        label={text.form.currency}
        hint={text.form.currencyHint}
        required
        maxLength={10}
      />
      <AreaField
        name="reason"
        label={text.form.reason}
        hint={text.form.reasonHint}
        required
        minLength={10}
        maxLength={4000}
      />
      <TextField name="payment_id" label={text.form.payment} hint={text.form.paymentHint} maxLength={36} />
    </FormDialog>
  )
}
