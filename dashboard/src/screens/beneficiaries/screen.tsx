import type { Beneficiary } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { beneficiaries as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { beneficiaryPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Button } from '../../ui/button.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import ui from '../../ui/ui.module.css'
import { CreateDialog } from './create-dialog.tsx'
import { mask } from './mask.ts'

export function Screen(): ReactElement {
  const address = useListAddress([])
  const result = useList('beneficiaries', address, (query, options) => api.beneficiaries.list(query, options))
  const mayWrite = useMay('beneficiaries:write')
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columns}
        keyOf={({ beneficiary_id }) => beneficiary_id}
        pathOf={({ beneficiary_id }) => beneficiaryPath(beneficiary_id)}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={
          mayWrite && (
            <Button isPrimary onClick={() => setCreating(true)}>
              {text.create}
            </Button>
          )
        }
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  )
}

const numberOf = ({ bank_details, momo_details }: Beneficiary): string =>
  bank_details.account_number ?? bank_details.iban ?? momo_details.phone_number ?? ''

const columns: readonly Column<Beneficiary>[] = [
  {
    label: text.name,
    isLink: true,
    cell: ({ fname, lname }) => (
      <span className={ui.ellipsis}>
        {fname} {lname}
      </span>
    ),
  },
  { label: text.type, cell: ({ account_type }) => nameOf(text.types, account_type) },
  {
    label: text.number,
    cell: (beneficiary) => <span className={ui.number}>{mask(numberOf(beneficiary))}</span>,
  },
  { label: text.country, cell: ({ country }) => country },
  { label: text.currency, cell: ({ currency }) => currency },
  { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]
