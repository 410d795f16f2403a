import type { VirtualAccount } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { virtualAccounts as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { virtualAccountPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import ui from '../../ui/ui.module.css'
import { AccountBadge } from './account-badge.tsx'
import { OpenDialog } from './open-dialog.tsx'

export function Screen(): ReactElement {
  const address = useListAddress(['status', 'currency', 'customer_id'])
  const result = useList('virtual-accounts', address, (query, options) =>
    api.virtualAccounts.list(query, options),
  )
  const mayOpen = useMay('virtual-accounts:write')
  const [isOpening, setOpening] = useState(false)
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columns}
        keyOf={({ account_id }) => account_id}
        pathOf={({ account_id }) => virtualAccountPath(account_id)}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={
          mayOpen && (
            <Button isPrimary onClick={() => setOpening(true)}>
              {text.open}
            </Button>
          )
        }
        filters={
          <Filters address={address}>
            <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
            <TextFilter address={address} name="currency" label={text.currency} isCode />
            <TextFilter address={address} name="customer_id" label={text.customer} />
          </Filters>
        }
      />
      {isOpening && <OpenDialog onClose={() => setOpening(false)} />}
    </>
  )
}

const columns: readonly Column<VirtualAccount>[] = [
  {
    label: text.balance,
    isEnd: true,
    cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
  },
  {
    label: text.name,
    isLink: true,
    cell: ({ virtual_account_name, account_id }) => (
      <span className={ui.ellipsis}>{virtual_account_name || account_id}</span>
    ),
  },
  { label: text.status, cell: ({ status }) => <AccountBadge status={status} /> },
  {
    label: text.accountNumber,
    cell: ({ bank_details }) => (
      <span className={bank_details === null ? ui.muted : ui.number}>
        {bank_details?.account_number ?? text.internal}
      </span>
    ),
  },
  { label: text.type, cell: ({ account_type }) => nameOf(text.types, account_type) },
  { label: text.customer, cell: ({ customer_id }) => <div className={ui.ellipsis}>{customer_id}</div> },
  { label: text.opened, cell: ({ created_at }) => <Moment at={created_at} /> },
]
