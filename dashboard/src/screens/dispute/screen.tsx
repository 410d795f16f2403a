import type { Dispute } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { usePeople } from '../../api/use-people.ts'
import { disputes as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths, paymentPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { DisputeBadge } from '../disputes/dispute-badge.tsx'
import { ResponsePanel } from './response.tsx'

export function Screen(): ReactElement {
  const { disputeId = '' } = useParams()
  const mayRespond = useMay('disputes:write')
  const { data, error, refetch } = useQuery({
    queryKey: ['disputes', 'one', disputeId],
    queryFn: ({ signal }) => api.disputes.get(disputeId, { signal }),
  })
  return (
    <Page
      title={text.page}
      aside={
        <Link className={buttonClass(false)} to={`${paths.disputes}?state=needs_response`}>
          {text.all}
        </Link>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div className={work.split}>
          <div className={work.stack}>
            <FactsPanel dispute={data} />
            <EvidencePanel dispute={data} />
          </div>
          <div className={work.stack}>
            {mayRespond && <ResponsePanel dispute={data} />}
            <MoneyPanel dispute={data} />
          </div>
        </div>
      )}
    </Page>
  )
}

const FactsPanel = ({ dispute }: { dispute: Dispute }): ReactElement => (
  <Panel>
    <p className={work.lead}>
      <Money amount={dispute.amount} currency={dispute.currency} />
      <DisputeBadge state={dispute.state} />
    </p>
    <Facts
      facts={[
        { label: text.due, value: dispute.due_by !== null && <Moment at={dispute.due_by} isExact /> },
        { label: text.reason, value: nameOf(text.reasons, dispute.reason) },
        { label: text.providerReason, value: dispute.provider_reason },
        { label: text.provider, value: nameOf(terms.provider, dispute.provider) },
        { label: text.providerId, value: dispute.provider_dispute_id },
        { label: text.opened, value: <Moment at={dispute.created_at} isExact /> },
        {
          label: text.submitted,
          value: dispute.submitted_at !== null && <Moment at={dispute.submitted_at} isExact />,
        },
        {
          label: text.closed,
          value: dispute.closed_at !== null && <Moment at={dispute.closed_at} isExact />,
        },
        {
          label: text.payment,
          value: <Link to={paymentPath(dispute.payment_id)}>{text.openPayment}</Link>,
        },
      ]}
    />
  </Panel>
)

function EvidencePanel({ dispute: { evidence } }: { dispute: Dispute }): ReactElement {
  const nameOfPerson = usePeople()
  return (
    <Panel title={text.evidence}>
      <p className={`${work.prose} ${ui.muted}`}>
        {evidence.length === 0 ? text.noEvidence : text.evidenceNote}
      </p>
      <ul className={work.steps}>
        {evidence.map((one) => (
          <li key={one.evidence_id}>
            <span>
              {nameOf({ ...text.fields, ...(one.kind === 'file' && text.purposes) }, one.field)}
              {one.file_name !== null && <>: {one.file_name}</>}
            </span>
            <span className={ui.muted}>
              {nameOfPerson(one.user_id)} · <Moment at={one.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const MoneyPanel = ({ dispute }: { dispute: Dispute }): ReactElement => (
  <Panel title={text.movements}>
    {dispute.movements.length === 0 && <p className={`${work.prose} ${ui.muted}`}>{text.noMovements}</p>}
    <ol className={work.steps}>
      {dispute.movements.map((move, index) => (
        <li key={index}>
          <span>{nameOf(text.movement, move.type)}</span>
          <span>
            <Money amount={move.amount} currency={move.currency} />
          </span>
          {Number(move.cost) !== 0 && (
            <span className={ui.muted}>
              {text.cost} <Money amount={move.cost} currency={move.cost_currency} />
            </span>
          )}
        </li>
      ))}
    </ol>
  </Panel>
)
