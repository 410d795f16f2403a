import type { Notice } from '@switchyard/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { inbox as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { showToast } from '../../shell/toasts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import ui from '../../ui/ui.module.css'
import styles from './inbox.module.css'

export function Screen(): ReactElement {
  const address = useListAddress(['unread'])
  const result = useList('notices', address, (query, options) => api.notifications.list(query, options))
  const client = useQueryClient()
  const read = useMutation({
    mutationFn: async (notices: readonly Notice[]) => {
      for (const { notification_id } of notices) await api.notifications.markRead(notification_id)
    },
    onError: (failure) => showToast(failure.message),
    onSettled: () => client.invalidateQueries({ queryKey: ['notices'] }),
  })
  const unread = result.data?.data.filter(({ read_at }) => read_at === null) ?? []
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columnsWith((notice) => read.mutate([notice]), read.isPending)}
      keyOf={({ notification_id }) => notification_id}
      empty={{ title: text.empty, text: text.emptyText }}
      aside={
        unread.length > 0 && (
          <Button disabled={read.isPending} onClick={() => read.mutate(unread)}>
            {text.markAll}
          </Button>
        )
      }
      filters={
        <Filters address={address}>
          <ChoiceFilter
            address={address}
            name="unread"
            label={text.which}
            options={{ true: text.unread }}
            anyLabel={text.all}
          />
        </Filters>
      }
    />
  )
}

const tones: Readonly<Record<string, Tone>> = { high: 'wait', urgent: 'bad' }

const columnsWith = (onRead: (notice: Notice) => void, isPending: boolean): readonly Column<Notice>[] => [
  {
    label: text.notice,
    cell: ({ title, body, link, read_at }) => (
      <span className={styles.notice}>
        <span className={read_at === null ? styles.unread : undefined}>
          {link === null ? title : <a href={link}>{title}</a>}
        </span>
        <span className={styles.body}>{body}</span>
      </span>
    ),
  },
  {
    label: text.priority,
    cell: ({ priority }) => (
      <Badge tone={tones[priority] ?? 'neutral'} text={nameOf(text.priorities, priority)} />
    ),
  },
  { label: text.at, cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    label: text.actions,
    isEnd: true,
    cell: (notice) =>
      notice.read_at === null ? (
        <Button
          className={ui.small}
          aria-label={text.markReadOf(notice.title)}
          disabled={isPending}
          onClick={() => onRead(notice)}
        >
          {text.markRead}
        </Button>
      ) : (
        <span className={ui.muted}>{text.isRead}</span>
      ),
  },
]
