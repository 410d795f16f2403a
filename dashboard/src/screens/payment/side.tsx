import type { PaymentRecord, TimelineEntry } from '@switchyard/sdk'
import type { ReactElement, ReactNode } from 'react'
import { payment as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { countryName } from '../../ui/format.ts'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { summaryOf } from './describe-entry.ts'
import { providerName } from './entries.ts'
import styles from './payment.module.css'
import { RefundDecision } from './refund-decision.tsx'
import { Route } from './route.tsx'
import { useDisputes, useRefunds } from './use-payment.ts'

interface SideProps {
  record: PaymentRecord
  entries: readonly TimelineEntry[]
}

export const Side = ({ record, entries }: SideProps): ReactElement => (
  <div className={styles.side}>
    <Amounts record={record} />
    <Parties record={record} />
    <Route entries={entries} />
    {record.direction === 'inbound' && <Refunds paymentId={record.payment_id} />}
    {record.direction === 'inbound' && <Disputes paymentId={record.payment_id} />}
    <Deliveries entries={entries} />
    <Panel title={text.record}>
      <Facts
        facts={[
          { label: text.id, value: <Id id={record.payment_id} label={text.id} /> },
          { label: text.reference, value: record.client_reference },
          { label: text.description, value: record.description },
          { label: text.created, value: <Moment at={record.created_at} isExact /> },
          { label: text.updated, value: <Moment at={record.updated_at} isExact /> },
        ]}
      />
    </Panel>
  </div>
)

const Id = ({ id, label }: { id: string; label: string }): ReactElement => (
  <span className={styles.id}>
    <code>{id}</code>
    <CopyButton text={id} label={label} />
  </span>
)

const Amounts = ({ record }: { record: PaymentRecord }): ReactElement => {
  const isExchanged = record.target_currency !== null && record.target_currency !== record.currency
  return (
    <Panel title={text.amounts}>
      <Facts
        facts={[
          { label: text.amount, value: <Money amount={record.amount} currency={record.currency} /> },
          {
            label: text.received,
            value: isExchanged && (
              <Money amount={record.target_amount ?? ''} currency={record.target_currency ?? ''} />
            ),
          },
          {
            label: text.fees,
            value: record.total_fees !== null && (
              <Money amount={record.total_fees} currency={record.fees_currency ?? record.currency} />
            ),
          },
          {
            label: text.refunded,
            value: /[1-9]/.test(record.refunded_amount) && (
              <Money amount={record.refunded_amount} currency={record.currency} />
            ),
          },
        ]}
      />
    </Panel>
  )
}

/** The API masks the values that the person may not see. */
const Parties = ({ record }: { record: PaymentRecord }): ReactElement => {
  const payer = record.payer_details
  const recipient = record.recipient_info
  const account = { ...record.bank_account, ...record.mobile_money_details, ...record.card_details }
  return (
    <Panel title={text.parties}>
      <Facts
        facts={[
          {
            label: text.personalData,
            value: record.personal_data_erased_at !== null && (
              <>
                {text.erased} <Moment at={record.personal_data_erased_at} />
              </>
            ),
          },
          { label: text.payer, value: record.direction === 'inbound' && wordOf(payer, 'name') },
          { label: text.email, value: record.direction === 'inbound' && wordOf(payer, 'email') },
          { label: text.phone, value: record.direction === 'inbound' && wordOf(payer, 'phone') },
          { label: text.recipient, value: record.direction !== 'inbound' && wordOf(recipient, 'name') },
          { label: text.method, value: nameOf(terms.method, record.payment_method) },
          {
            label: text.account,
            value: wordOf(account, 'account_number') ?? wordOf(account, 'phone_number') ?? cardOf(account),
          },
          { label: text.country, value: record.region_id && countryName(record.region_id) },
          { label: text.provider, value: record.provider && providerName(record.provider) },
          {
            label: text.providerReference,
            value: record.provider_payment_id !== null && (
              <Id id={record.provider_payment_id} label={text.providerReference} />
            ),
          },
        ]}
      />
    </Panel>
  )
}

const wordOf = (details: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = details[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const cardOf = (details: Readonly<Record<string, unknown>>): string | undefined => {
  const last = wordOf(details, 'last4')
  return last === undefined ? undefined : `${wordOf(details, 'brand') ?? ''} •••• ${last}`.trim()
}

const Refunds = ({ paymentId }: { paymentId: string }): ReactElement => {
  const { data, error, refetch } = useRefunds(paymentId)
  return (
    <Panel title={text.refunds}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Nothing>{text.noRefunds}</Nothing>}
      <ul className={styles.rows}>
        {data?.map((refund) => (
          <li key={refund.refund_id}>
            <span className={styles.rowTitle}>
              {nameOf(text.refundStatus, refund.status)}
              <Money amount={refund.amount} currency={refund.currency} />
            </span>
            <span className={ui.muted}>
              {refund.reason} · <Moment at={refund.created_at} />
            </span>
            {refund.failure && <span className={styles.failure}>{refund.failure.message}</span>}
            {refund.status === 'awaiting_approval' && <RefundDecision refundId={refund.refund_id} />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const Disputes = ({ paymentId }: { paymentId: string }): ReactElement | false => {
  const maySee = useMay('disputes:read')
  const { data, error, refetch } = useDisputes(paymentId, maySee)
  return (
    maySee && (
      <Panel title={text.disputes}>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && <Nothing>{text.noDisputes}</Nothing>}
        <ul className={styles.rows}>
          {data?.map((dispute) => (
            <li key={dispute.dispute_id}>
              <span className={styles.rowTitle}>
                {nameOf(terms.disputeState, dispute.state)}
                <Money amount={dispute.amount} currency={dispute.currency} />
              </span>
              <span className={ui.muted}>
                {dispute.provider_reason}
                {dispute.due_by !== null && (
                  <>
                    {' '}
                    · {text.dueBy} <Moment at={dispute.due_by} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    )
  )
}

const Deliveries = ({ entries }: { entries: readonly TimelineEntry[] }): ReactElement => {
  const deliveries = entries.filter(({ kind }) => kind === 'delivery')
  return (
    <Panel title={text.deliveries}>
      {deliveries.length === 0 && <Nothing>{text.noDeliveries}</Nothing>}
      <ul className={styles.rows}>
        {deliveries.map((delivery) => (
          <li key={delivery.entry_id}>
            <span>{summaryOf(delivery)}</span>
            <span className={ui.muted}>
              <Moment at={delivery.at} isExact />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const Nothing = ({ children }: { children: ReactNode }): ReactElement => (
  <p className={styles.nothing}>{children}</p>
)
