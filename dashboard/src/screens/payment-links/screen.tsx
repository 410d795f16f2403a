import type { PaymentLink } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { paymentLinks as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { CreateLinkDialog } from './create-dialog.tsx'

const tones: Readonly<Record<string, Tone>> = { active: 'wait', paid: 'good' }

export function Screen(): ReactElement {
  const { me } = useIdentity()
  const mayWrite = useMay('payment-links:write')
  const address = useListAddress(['status'])
  const result = useList('payment-links', address, (query, options) =>
    api.paymentLinks.list(me.org_id, query, options),
  )
  const [isCreating, setCreating] = useState(false)
  const [withdrawn, setWithdrawn] = useState<PaymentLink>()
  const create = mayWrite && (
    <Button isPrimary onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  )
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columnsWith(mayWrite ? setWithdrawn : undefined)}
        keyOf={({ link_id }) => link_id}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={create}
        filters={
          <Filters address={address}>
            <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
          </Filters>
        }
      />
      {isCreating && <CreateLinkDialog onClose={() => setCreating(false)} />}
      {withdrawn && <WithdrawDialog link={withdrawn} onClose={() => setWithdrawn(undefined)} />}
    </>
  )
}

const columnsWith = (onWithdraw?: (link: PaymentLink) => void): readonly Column<PaymentLink>[] => [
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount_type, amount, currency }) =>
      amount_type === 'open' ? (
        <span className={ui.muted}>{text.open}</span>
      ) : (
        <Money amount={amount} currency={currency} />
      ),
  },
  {
    label: text.description,
    cell: ({ description, client_reference }) => (
      <span className={ui.ellipsis}>
        {description || (client_reference ?? <span className={ui.muted}>{text.noDescription}</span>)}
      </span>
    ),
  },
  {
    label: text.status,
    cell: ({ status }) => <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />,
  },
  { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  { label: text.expires, cell: ({ expires_at }) => <Moment at={expires_at} /> },
  {
    label: text.actions,
    cell: (link) =>
      link.status === 'active' && (
        <span className={work.row}>
          <CopyButton text={link.url} label={`${text.address} ${link.description}`} />
          {onWithdraw && (
            <Button className={ui.small} onClick={() => onWithdraw(link)}>
              {text.withdraw}
            </Button>
          )}
        </span>
      ),
  },
]

function WithdrawDialog({ link, onClose }: { link: PaymentLink; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.withdrawTitle}
      text={text.withdrawText}
      submitLabel={text.withdraw}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.paymentLinks.cancel(link.org_id, link.link_id, { idempotencyKey })
        showToast(text.withdrawn)
        await client.invalidateQueries({ queryKey: ['payment-links'] })
      }}
    />
  )
}
