import type { PayoutBatch } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { usePeople } from '../../api/use-people.ts'
import { payoutBatches as text } from '../../messages/generated/texts.ts'
import { paths, payoutBatchPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { formatCount } from '../../ui/format.ts'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import ui from '../../ui/ui.module.css'
import { BatchBadge } from './batch-badge.tsx'

export function Screen(): ReactElement {
  const address = useListAddress(['status'])
  const result = useList('payout-batches', address, (query, options) =>
    api.payoutBatches.list(query, options),
  )
  const mayCreate = useMay('payments:write')
  const nameOfPerson = usePeople()
  const create = mayCreate && (
    <Link className={buttonClass(true)} to={paths.newPayoutBatch}>
      {text.create}
    </Link>
  )
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columnsWith(nameOfPerson)}
      keyOf={({ batch_id }) => batch_id}
      pathOf={({ batch_id }) => payoutBatchPath(batch_id)}
      empty={{ title: text.empty, text: text.emptyText }}
      aside={create}
      filters={
        <Filters address={address}>
          <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
        </Filters>
      }
    />
  )
}

const columnsWith = (nameOfPerson: (userId: string) => string): readonly Column<PayoutBatch>[] => [
  {
    label: text.total,
    isEnd: true,
    cell: ({ totals: [first, ...more] }) =>
      first &&
      (more.length === 0 ? (
        <Money amount={first.amount} currency={first.currency} />
      ) : (
        <span className={ui.muted}>{text.several}</span>
      )),
  },
  { label: text.rows, isEnd: true, cell: ({ row_count }) => formatCount(row_count) },
  {
    label: text.description,
    isLink: true,
    cell: ({ description, batch_id }) => (
      <span className={ui.ellipsis}>{description ?? `${text.page} ${batch_id.slice(0, 8)}`}</span>
    ),
  },
  { label: text.status, cell: ({ status }) => <BatchBadge status={status} /> },
  { label: text.creator, cell: ({ created_by }) => nameOfPerson(created_by) },
  { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]
