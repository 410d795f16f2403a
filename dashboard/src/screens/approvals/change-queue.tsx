import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { usePeople } from '../../api/use-people.ts'
import { approvals } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { changeRequestPath } from '../../paths.ts'
import { useIdentity } from '../../shell/session.tsx'
import type { Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RowsPanel } from '../../ui/rows-panel.tsx'
import work from '../../ui/work.module.css'

const limit = 100
/** The live stream does not announce change requests, so they are polled. */
const pollMs = 15_000
const resolutionKinds = ['payment.resolve', 'refund.resolve', 'ledger.adjust']

interface Row {
  orgId: string
  requestId: string
  summary: string
  kind: string
  requestedBy: string | null
  createdAt: string
  expiresAt: string | null
}

/** The organisation's own requests and, for the operator, those of other organisations. */
export function ChangeQueue({ isOfResolutions }: { isOfResolutions: boolean }): ReactElement {
  const { me } = useIdentity()
  const nameOfPerson = usePeople()
  const result = useRows(me.org_id)
  const columns: readonly Column<Row>[] = [
    {
      label: approvals.change,
      isLink: true,
      cell: ({ summary }) => <span className={work.wrapping}>{summary}</span>,
    },
    {
      label: approvals.kind,
      cell: ({ kind, orgId }) =>
        orgId === me.org_id ? nameOf(approvals.kinds, kind) : approvals.otherOrganization,
    },
    {
      label: approvals.requester,
      cell: ({ requestedBy }) => requestedBy !== null && nameOfPerson(requestedBy),
    },
    { label: approvals.since, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { label: approvals.expires, cell: ({ expiresAt }) => expiresAt !== null && <Moment at={expiresAt} /> },
  ]
  return (
    <RowsPanel
      title={isOfResolutions ? approvals.resolutions : approvals.changes}
      result={result}
      rows={result.data?.rows.filter(({ kind }) => resolutionKinds.includes(kind) === isOfResolutions)}
      columns={columns}
      keyOf={({ requestId }) => requestId}
      pathOf={({ orgId, requestId }) => changeRequestPath(orgId, requestId)}
      empty={
        isOfResolutions
          ? { title: approvals.emptyResolutions, text: approvals.emptyResolutionsText }
          : { title: approvals.emptyChanges, text: approvals.emptyChangesText }
      }
      more={result.data?.hasMore ? approvals.more : undefined}
    />
  )
}

/** The organisation's own requests, and those of other organisations that the operator decides on. */
function useRows(orgId: string) {
  return useQuery({
    queryKey: ['approvals', 'changes'],
    queryFn: async ({ signal }) => {
      const [page, waiting] = await Promise.all([
        api.changeRequests.list(orgId, { status: 'pending', limit }, { signal }).firstPage(),
        api.users.getWaiting({ signal }),
      ])
      const own = page.data.map((request): Row => ({
        orgId: request.org_id,
        requestId: request.request_id,
        summary: request.summary,
        kind: request.kind,
        requestedBy: request.requested_by,
        createdAt: request.created_at,
        expiresAt: request.expires_at,
      }))
      const { resolutions, ledger_adjustments: adjustments, change_requests: changes } = waiting
      const asked = [
        ...[...resolutions.items, ...adjustments.items].map((item) => ({ item, kind: 'payment.resolve' })),
        ...changes.items.map((item) => ({ item, kind: 'other' })),
      ]
        .filter(({ item }) => item.org_id !== orgId)
        .map(({ item, kind }): Row => ({
          orgId: item.org_id,
          requestId: item.id,
          summary: item.summary,
          kind,
          requestedBy: item.requested_by,
          createdAt: item.created_at,
          expiresAt: item.due_by,
        }))
      return { rows: [...own, ...asked], hasMore: page.cursor !== undefined }
    },
    refetchInterval: pollMs,
  })
}
