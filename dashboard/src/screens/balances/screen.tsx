import type { Balance } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { ledger } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths } from '../../paths.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import type { Column } from '../../ui/list-page.tsx'
import { Money } from '../../ui/money.tsx'
import { Page } from '../../ui/page.tsx'
import { RowsPanel } from '../../ui/rows-panel.tsx'
import ui from '../../ui/ui.module.css'
import { LedgerLists } from './ledger-lists.tsx'

const { balances: text, custodies } = ledger

export function Screen(): ReactElement {
  const { org_id } = useIdentity().me
  const maySeeLedger = useMay('ledger:read')
  const result = useQuery({
    queryKey: ['balances', org_id],
    queryFn: ({ signal }) => api.balances.list(org_id, { signal }),
  })
  return (
    <Page title={text.title}>
      <LedgerLists />
      <p className={ui.muted}>{text.text}</p>
      <RowsPanel
        title={text.title}
        result={result}
        rows={result.data}
        columns={maySeeLedger ? [...columns, movements] : columns}
        keyOf={({ currency, custody }) => `${currency} ${custody}`}
        empty={{ title: text.empty, text: text.emptyText }}
      />
    </Page>
  )
}

const columns: readonly Column<Balance>[] = [
  { label: text.currency, cell: ({ currency }) => currency },
  { label: text.custody, cell: ({ custody }) => nameOf(custodies, custody) },
  {
    label: text.available,
    isEnd: true,
    cell: ({ available, currency }) => <Money amount={available} currency={currency} />,
  },
  {
    label: text.held,
    isEnd: true,
    cell: ({ held, currency }) => <Money amount={held} currency={currency} />,
  },
  {
    label: text.inTransit,
    isEnd: true,
    cell: ({ in_transit, currency }) => <Money amount={in_transit} currency={currency} />,
  },
  {
    label: text.creditLimit,
    isEnd: true,
    cell: ({ credit_limit, currency }) =>
      credit_limit === null ? (
        <span className={ui.muted}>{text.noCredit}</span>
      ) : (
        <Money amount={credit_limit} currency={currency} />
      ),
  },
]

const movements: Column<Balance> = {
  label: text.movements,
  cell: ({ currency, custody }) => (
    <Link
      to={`${paths.ledger}?${new URLSearchParams({ currency, custody }).toString()}`}
      aria-label={text.showOf(currency, nameOf(custodies, custody))}
    >
      {text.show}
    </Link>
  ),
}
