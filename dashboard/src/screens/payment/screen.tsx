import type { PaymentRecord } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { payment as text } from '../../messages/en/payment.ts'
import { terms } from '../../messages/en/terms.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Tabs } from '../../ui/tabs.tsx'

export function Screen(): ReactElement {
  const { paymentId = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['payment', paymentId],
    queryFn: ({ signal }) => api.payments.get(paymentId, { signal }),
  })
  const mayRefund = useMay('refunds:write')
  const [isRefunding, setRefunding] = useState(false)
  return (
    <Page
      title={data?.client_reference ?? paymentId}
      aside={mayRefund && <Button onClick={() => setRefunding(true)}>{text.refund.button}</Button>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <Tabs
          label={text.views}
          tabs={[
            { id: 'details', label: text.details, content: <Details record={data} /> },
            { id: 'json', label: text.raw, content: <JsonView value={data} label={text.raw} /> },
          ]}
        />
      )}
      {data && isRefunding && <RefundDialog record={data} onClose={() => setRefunding(false)} />}
    </Page>
  )
}

const Details = ({ record }: { record: PaymentRecord }): ReactElement => (
  <Panel>
    <Facts
      facts={[
        { label: text.amount, value: <Money amount={record.amount} currency={record.currency} /> },
        { label: text.status, value: <Status status={record.status} /> },
        { label: text.method, value: nameOf(terms.method, record.payment_method) },
        { label: text.provider, value: record.provider },
        { label: text.reference, value: record.client_reference },
        {
          label: text.id,
          value: (
            <>
              {record.payment_id} <CopyButton text={record.payment_id} label={text.id} />
            </>
          ),
        },
        { label: text.created, value: <Moment at={record.created_at} isExact /> },
        { label: text.updated, value: <Moment at={record.updated_at} isExact /> },
      ]}
    />
  </Panel>
)

function RefundDialog({ record, onClose }: { record: PaymentRecord; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const targetCurrency = record.target_currency ?? record.currency
  const isExchanged = targetCurrency !== record.currency
  return (
    <FormDialog
      title={text.refund.title}
      text={text.refund.text}
      submitLabel={text.refund.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const amount = field('amount')
        const body = {
          reason: field('reason'),
          ...(amount !== '' && { amount, ...(isExchanged && { currency: field('currency') }) }),
        }
        await api.refunds.create(record.payment_id, body, { idempotencyKey })
        showToast(text.refund.done)
        await client.invalidateQueries({ queryKey: ['payment', record.payment_id] })
      }}
    >
      <TextField
        name="amount"
        label={isExchanged ? text.refund.amount : `${text.refund.amount} (${record.currency})`}
        hint={text.refund.amountHint}
        inputMode="decimal"
      />
      {isExchanged && (
        <SelectField
          name="currency"
          label={text.refund.currency}
          hint={text.refund.currencyHint}
          options={{ [record.currency]: record.currency, [targetCurrency]: targetCurrency }}
        />
      )}
      <AreaField name="reason" label={text.refund.reason} required maxLength={200} />
    </FormDialog>
  )
}
