import type { ScreeningMatch } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { useOrganizationNames } from '../../api/use-organizations.ts'
import { match, matches as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { matchPath } from '../../paths.ts'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { formatShare } from '../../ui/format.ts'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import ui from '../../ui/ui.module.css'
import { MatchStatus, SanctionsLists } from './parts.tsx'

const filterNames = ['status', 'subject_kind', 'org_id', 'beneficiary_id', 'payment_id']

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const organizations = useOrganizationNames()
  const result = useList('matches', address, (query, options) => api.screening.listMatches(query, options))
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columnsWith(organizations)}
      keyOf={({ match_id }) => match_id}
      pathOf={({ match_id }) => matchPath(match_id)}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <>
          <SanctionsLists />
          <Filters address={address}>
            <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
            <ChoiceFilter address={address} name="subject_kind" label={text.kind} options={text.kinds} />
            {organizations && (
              <ChoiceFilter
                address={address}
                name="org_id"
                label={text.organization}
                options={Object.fromEntries(organizations)}
              />
            )}
          </Filters>
        </>
      }
    />
  )
}

function columnsWith(
  organizations: ReadonlyMap<string, string> | undefined,
): readonly Column<ScreeningMatch>[] {
  return [
    {
      label: text.person,
      isLink: true,
      cell: ({ person }) => <bdi className={ui.ellipsis}>{person.name ?? match.notKnown}</bdi>,
    },
    {
      label: text.entry,
      cell: ({ entry }) => <bdi className={ui.ellipsis}>{entry.names[0] ?? entry.entry_id}</bdi>,
    },
    { label: text.score, isEnd: true, cell: ({ score }) => formatShare(score) },
    { label: text.list, cell: ({ source }) => nameOf(text.sources, source) },
    { label: text.kind, cell: ({ subject_kind }) => nameOf(text.kinds, subject_kind) },
    ...(organizations
      ? [
          {
            label: text.organization,
            cell: ({ org_id }: ScreeningMatch) => (
              <span className={ui.ellipsis}>{organizations.get(org_id) ?? org_id}</span>
            ),
          },
        ]
      : []),
    { label: text.since, cell: ({ created_at }) => <Moment at={created_at} /> },
    { label: text.status, cell: ({ status }) => <MatchStatus status={status} /> },
  ]
}
