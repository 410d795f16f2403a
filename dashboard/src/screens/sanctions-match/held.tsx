import type { ScreeningMatchDetails } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { nameOf } from '../../messages/name-of.ts'
import { match as text } from '../../messages/generated/texts.ts'
import { beneficiaryPath, exceptionPath, paymentPath } from '../../paths.ts'
import { useIdentity } from '../../shell/session.tsx'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'

type HeldPayment = ScreeningMatchDetails['held_payments'][number]

const columns: readonly Column<HeldPayment>[] = [
  {
    label: text.payment,
    isLink: true,
    cell: ({ client_reference, payment_id }) => (
      <span className={ui.ellipsis}>{client_reference ?? payment_id}</span>
    ),
  },
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { label: text.since, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** The dashboard has no page for another organisation's payments and beneficiaries. */
export function HeldPanel({ match }: { match: ScreeningMatchDetails }): ReactElement | false {
  const isOwn = useIdentity().me.org_id === match.org_id
  const { status, subject_kind, held_payments: payments } = match
  if (status === 'cleared') return false
  const words = status === 'open' ? text.holdsOf : text.refuses
  return (
    <Panel title={text.holds} aside={isOwn && <Subject match={match} />}>
      <div className={work.prose}>
        <p>{nameOf(words, subject_kind)}</p>
        {status === 'open' && payments.length === 0 && <p className={ui.muted}>{text.noPayments}</p>}
      </div>
      {payments.length > 0 && (
        <Table
          title={text.holds}
          columns={columns}
          rows={payments}
          keyOf={({ payment_id }) => payment_id}
          {...(isOwn && { pathOf: ({ payment_id }: HeldPayment) => paymentPath(payment_id) })}
        />
      )}
    </Panel>
  )
}

function Subject({ match }: { match: ScreeningMatchDetails }): ReactElement | false {
  const { beneficiary_id: beneficiaryId, payment_id: paymentId, exception_id: exceptionId } = match
  if (beneficiaryId !== null) return <Link to={beneficiaryPath(beneficiaryId)}>{text.openBeneficiary}</Link>
  if (exceptionId !== null) return <Link to={exceptionPath(exceptionId)}>{text.openException}</Link>
  return paymentId !== null && <Link to={paymentPath(paymentId)}>{text.openPayment}</Link>
}
