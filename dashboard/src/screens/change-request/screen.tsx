import type { ChangeRequest } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { usePeople } from '../../api/use-people.ts'
import { approvals, changeRequest as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { matchPath, paths, paymentPath } from '../../paths.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Facts } from '../../ui/facts.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import work from '../../ui/work.module.css'
import { ChangeDecision } from './decision.tsx'

const tones: Readonly<Record<string, Tone>> = { pending: 'wait', approved: 'good', rejected: 'bad' }

export function Screen(): ReactElement {
  const { orgId = '', requestId = '' } = useParams()
  const [isOvertaken, setOvertaken] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'change', requestId],
    queryFn: ({ signal }) => api.changeRequests.get(orgId, requestId, { signal }),
  })
  return (
    <Page
      title={text.title}
      aside={
        <Link className={buttonClass(false)} to={paths.approvals}>
          {approvals.all}
        </Link>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {isOvertaken && (
        <Callout tone="wait" title={text.faster} isAlert>
          {text.fasterText}
        </Callout>
      )}
      {data && (
        <div className={work.split}>
          <RequestPanels request={data} />
          {data.status === 'pending' && (
            <ChangeDecision request={data} onOvertaken={() => setOvertaken(true)} />
          )}
        </div>
      )}
    </Page>
  )
}

function RequestPanels({ request }: { request: ChangeRequest }): ReactElement {
  const { me } = useIdentity()
  const nameOfPerson = usePeople()
  const asked = scalarsOf(request.payload)
  const paymentId = asked.find(([name]) => name === 'payment_id')?.[1]
  const matchId = asked.find(([name]) => name === 'match_id')?.[1]
  const maySeeMatch = useMay('screening:read')
  const isOwn = request.org_id === me.org_id
  return (
    <div className={work.stack}>
      <Panel title={request.summary}>
        <Facts
          facts={[
            {
              label: text.status,
              value: (
                <Badge
                  tone={tones[request.status] ?? 'neutral'}
                  text={nameOf(text.statuses, request.status)}
                />
              ),
            },
            { label: text.kind, value: nameOf(approvals.kinds, request.kind) },
            { label: text.requester, value: nameOfPerson(request.requested_by) },
            { label: text.since, value: <Moment at={request.created_at} isExact /> },
            { label: text.approver, value: nameOf(text.approvers, request.approver) },
            {
              label: text.expires,
              value: request.status === 'pending' && <Moment at={request.expires_at} isExact />,
            },
            {
              label: text.reviewedBy,
              value: request.reviewed_by !== null && nameOfPerson(request.reviewed_by),
            },
            {
              label: text.decidedBy,
              value: request.decided_by !== null && nameOfPerson(request.decided_by),
            },
            { label: text.comments, value: request.comments },
          ]}
        />
      </Panel>
      <Panel title={text.asked}>
        {asked.length > 0 ? (
          <Facts facts={asked.map(([name, value]) => ({ label: labelOf(name), value }))} />
        ) : (
          <div className={work.prose}>
            <JsonView value={request.payload} label={text.asked} />
          </div>
        )}
        {isOwn && paymentId !== undefined && (
          <p className={work.prose}>
            <Link to={paymentPath(paymentId)}>{text.payment}</Link>
          </p>
        )}
        {maySeeMatch && matchId !== undefined && (
          <p className={work.prose}>
            <Link to={matchPath(matchId)}>{text.match}</Link>
          </p>
        )}
      </Panel>
    </div>
  )
}

const labelOf = (name: string): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

/** The payload as names and values, if it is flat. */
function scalarsOf(payload: unknown): [string, string][] {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return []
  const entries = Object.entries(payload).filter(([, value]) => value !== null && value !== undefined)
  const isFlat = entries.every(([, value]) => typeof value !== 'object')
  return isFlat ? entries.map(([name, value]) => [name, String(value)]) : []
}
