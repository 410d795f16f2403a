import type { Escrow } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { escrows as text } from '../../messages/generated/texts.ts'
import { escrowPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { CodeField } from '../../ui/money-fields.tsx'
import ui from '../../ui/ui.module.css'
import { EscrowBadge } from './escrow-badge.tsx'

export function Screen(): ReactElement {
  const address = useListAddress(['status'])
  const result = useList('escrows', address, (query, options) => api.escrows.list(query, options))
  const mayWrite = useMay('escrow:write')
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columns}
        keyOf={({ escrow_id }) => escrow_id}
        pathOf={({ escrow_id }) => escrowPath(escrow_id)}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={
          mayWrite && (
            <Button isPrimary onClick={() => setCreating(true)}>
              {text.create}
            </Button>
          )
        }
        filters={
          <Filters address={address}>
            <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
          </Filters>
        }
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  )
}

const columns: readonly Column<Escrow>[] = [
  {
    label: text.balance,
    isEnd: true,
    cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
  },
  { label: text.name, isLink: true, cell: ({ name }) => <span className={ui.ellipsis}>{name}</span> },
  { label: text.status, cell: ({ status }) => <EscrowBadge status={status} /> },
  {
    label: text.funded,
    isEnd: true,
    cell: ({ funded_total, currency }) => <Money amount={funded_total} currency={currency} />,
  },
  {
    label: text.disbursed,
    isEnd: true,
    cell: ({ disbursed_total, currency }) => <Money amount={disbursed_total} currency={currency} />,
  },
  { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]

function CreateDialog({ onClose }: { onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { createForm: words } = text
  return (
    <FormDialog
      title={words.title}
      submitLabel={words.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const description = field('description')
        const body = {
          name: field('name'),
          currency: field('currency').toUpperCase(),
          custody: field('custody') === 'own' ? ('own' as const) : ('pooled' as const),
          ...(description !== '' && { description }),
        }
        const created = await api.escrows.create(body, { idempotencyKey })
        showToast(words.done)
        await client.invalidateQueries({ queryKey: ['escrows'] })
        await navigate(escrowPath(created.escrow_id))
      }}
    >
      <TextField name="name" label={words.name} required maxLength={200} />
      <CodeField name="currency" label={words.currency} hint={words.currencyHint} length={3} />
      <SelectField name="custody" label={words.custody} hint={words.custodyHint} options={words.custodies} />
      <AreaField name="description" label={words.description} maxLength={2000} />
    </FormDialog>
  )
}
