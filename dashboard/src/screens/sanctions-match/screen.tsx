import type { ScreeningMatchDetails } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { useOrganizationNames } from '../../api/use-organizations.ts'
import { usePeople } from '../../api/use-people.ts'
import { nameOf } from '../../messages/name-of.ts'
import { match as text, matches } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatSeries } from '../../ui/format.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import work from '../../ui/work.module.css'
import { MatchStatus } from '../sanctions-matches/parts.tsx'
import { DecisionPanel } from './decision.tsx'
import { Comparison } from './comparison.tsx'
import { HeldPanel } from './held.tsx'

/** The live stream does not announce other people's decisions, so the match is polled. */
const pollMs = 15_000

export function Screen(): ReactElement {
  const { matchId = '' } = useParams()
  const mayDecide = useMay('screening:write')
  const { data, error, refetch } = useQuery({
    queryKey: ['matches', 'one', matchId],
    queryFn: ({ signal }) => api.screening.getMatch(matchId, { signal }),
    refetchInterval: pollMs,
  })
  return (
    <Page
      title={text.title}
      beside={data && <MatchStatus status={data.status} />}
      aside={
        <Link className={buttonClass(false)} to={`${paths.matches}?status=open`}>
          {text.all}
        </Link>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div className={work.split}>
          <div className={work.stack}>
            <Comparison match={data} />
            <HeldPanel match={data} />
          </div>
          <div className={work.stack}>
            {mayDecide && <DecisionPanel match={data} />}
            <FactsPanel match={data} />
          </div>
        </div>
      )}
    </Page>
  )
}

function FactsPanel({ match }: { match: ScreeningMatchDetails }): ReactElement {
  const nameOfPerson = usePeople()
  const organizations = useOrganizationNames()
  const { entry, decided_at, decided_by } = match
  return (
    <Panel title={text.facts}>
      <Facts
        facts={[
          { label: text.list, value: nameOf(matches.sources, match.source) },
          {
            label: text.entryId,
            value: (
              <span className={parts.mono} dir="ltr">
                {entry.entry_id}
              </span>
            ),
          },
          { label: text.programmes, value: formatSeries(entry.programmes) },
          { label: matches.kind, value: nameOf(matches.kinds, match.subject_kind) },
          {
            label: matches.organization,
            value: organizations && (organizations.get(match.org_id) ?? match.org_id),
          },
          { label: text.found, value: <Moment at={match.created_at} /> },
          { label: text.decided, value: decided_at !== null && <Moment at={decided_at} /> },
          { label: text.decidedBy, value: decided_by !== null && nameOfPerson(decided_by) },
          { label: text.reason, value: match.reason },
        ]}
      />
    </Panel>
  )
}
