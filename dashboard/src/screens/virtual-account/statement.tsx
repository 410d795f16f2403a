import type { VirtualAccount, VirtualAccountsStatementResult } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { virtualAccounts } from '../../messages/generated/texts.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { DayFilter, Filters } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import type { Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import { RowsPanel } from '../../ui/rows-panel.tsx'
import { startOfDay } from '../../ui/start-of-day.ts'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { Sign } from './transactions.tsx'

const { statement: text, transactions: words } = virtualAccounts

type Entry = VirtualAccountsStatementResult['entries'][number]

const shownCount = 100

/** The entries of a period, with the running balance. */
export function Statement({ account }: { account: VirtualAccount }): ReactElement {
  const address = useListAddress(['from', 'to'])
  const { from, to } = address.filters
  const period = {
    ...(from !== undefined && { from: startOfDay(from, 0) }),
    ...(to !== undefined && { to: startOfDay(to, 1) }),
  }
  const result = useQuery({
    queryKey: ['virtual-accounts', 'statement', account.account_id, from, to],
    queryFn: ({ signal }) =>
      api.virtualAccounts.statement(account.account_id, { ...period, limit: shownCount }, { signal }),
  })
  const entries = result.data?.entries
  return (
    <div className={work.stack}>
      <div className={work.row}>
        <Filters address={address}>
          <DayFilter address={address} name="from" label={text.from} />
          <DayFilter address={address} name="to" label={text.to} />
          <ExportButton
            csv={() => api.virtualAccounts.downloadStatement(account.account_id, period)}
            name={text.title}
            isDisabled={!entries || entries.length === 0}
          />
        </Filters>
      </div>
      {result.data && (
        <Panel>
          <Facts
            facts={[
              {
                label: text.opening,
                value: <Money amount={result.data.opening_balance} currency={account.currency} />,
              },
              {
                label: text.closing,
                value: <Money amount={result.data.closing_balance} currency={account.currency} />,
              },
            ]}
          />
        </Panel>
      )}
      <RowsPanel
        title={text.title}
        result={result}
        rows={entries}
        columns={columns}
        keyOf={({ entry_no }) => String(entry_no)}
        empty={{ title: text.empty }}
        more={entries?.length === shownCount ? text.more : undefined}
      />
    </div>
  )
}

const columns: readonly Column<Entry>[] = [
  { label: text.booked, cell: ({ booked_at }) => <Moment at={booked_at} /> },
  {
    label: words.description,
    cell: ({ description, reference }) => <div className={ui.ellipsis}>{description || reference}</div>,
  },
  {
    label: words.amount,
    isEnd: true,
    cell: ({ amount, currency, type }) => (
      <>
        <Sign type={type} />
        <Money amount={amount} currency={currency} />
      </>
    ),
  },
  {
    label: words.after,
    isEnd: true,
    cell: ({ balance_after, currency }) =>
      balance_after !== null && <Money amount={balance_after} currency={currency} />,
  },
]
