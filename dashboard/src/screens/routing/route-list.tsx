import type { ProviderConfig } from '@switchyard/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { nameOf } from '../../messages/name-of.ts'
import { routing as text, terms } from '../../messages/generated/texts.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { AddDialog } from './add-dialog.tsx'
import { BoundsDialog } from './bounds-dialog.tsx'
import { describeCorridor, type Corridor } from './corridors.ts'
import { reorder } from './reorder.ts'
import styles from './routing.module.css'

type OpenDialog = { what: 'add' } | { what: 'bounds' | 'remove'; config: ProviderConfig }

interface RouteListProps {
  corridor: Corridor
  /** The routes in the order in which they are tried. */
  configs: readonly ProviderConfig[]
}

/** The routes of one corridor, with buttons to move, switch and remove them. The installation's are locked. */
export function RouteList({ corridor, configs }: RouteListProps): ReactElement {
  const mayWrite = useMay('provider-configs:write')
  const canChange = useCanChange()
  const [opened, setOpened] = useState<OpenDialog>()
  const order = useOrder(configs, canChange)
  const onClose = (): void => setOpened(undefined)
  return (
    <Panel
      title={describeCorridor(corridor)}
      aside={mayWrite && <Button onClick={() => setOpened({ what: 'add' })}>{text.addHere}</Button>}
    >
      {configs.length === 0 && <EmptyState title={text.empty} />}
      <ol aria-label={describeCorridor(corridor)}>
        {configs.map((config, index) => (
          <RouteItem
            key={config.config_id}
            config={config}
            place={index + 1}
            isChangeable={mayWrite && canChange(config)}
            order={order}
            onOpen={setOpened}
          />
        ))}
      </ol>
      {mayWrite && configs.some(canChange) && configs.length > 1 && (
        <p className={styles.hint}>{text.keys}</p>
      )}
      {opened?.what === 'add' && <AddDialog corridor={corridor} onClose={onClose} />}
      {opened?.what === 'bounds' && <BoundsDialog config={opened.config} onClose={onClose} />}
      {opened?.what === 'remove' && <RemoveDialog config={opened.config} onClose={onClose} />}
    </Panel>
  )
}

/** The operator changes the installation's routes, and an organisation its own. */
function useCanChange(): (config: ProviderConfig) => boolean {
  const { org_id: ownId } = useIdentity().me
  const isOperator = useMay('platform:write')
  return ({ org_id }) => (org_id === null ? isOperator : org_id === ownId)
}

interface Order {
  isPending: boolean
  canMove: (id: string, step: 1 | -1) => boolean
  move: (id: string, step: 1 | -1) => void
}

function useOrder(configs: readonly ProviderConfig[], canChange: (config: ProviderConfig) => boolean): Order {
  const client = useQueryClient()
  const ranked = configs.map((config) => ({
    id: config.config_id,
    priority: config.priority,
    isLocked: !canChange(config),
  }))
  const change = useMutation({
    mutationFn: async ({ id, step }: { id: string; step: 1 | -1 }) => {
      const priorities = reorder(ranked, id, step) ?? new Map<string, number>()
      for (const { provider, config_id: configId } of configs) {
        const priority = priorities.get(configId)
        if (priority !== undefined) await api.providerConfigs.update(provider, configId, { priority })
      }
    },
    onSuccess: (_nothing, { id, step }) => {
      const index = configs.findIndex(({ config_id }) => config_id === id)
      showToast(text.moved(configs[index]?.provider ?? '', index + step + 1))
    },
    onError: (failure) => showToast(failure.message),
    onSettled: () => client.invalidateQueries({ queryKey: ['provider-configs'] }),
  })
  return {
    isPending: change.isPending,
    canMove: (id, step) => reorder(ranked, id, step) !== undefined,
    move: (id, step) => change.mutate({ id, step }),
  }
}

interface RouteItemProps {
  config: ProviderConfig
  place: number
  isChangeable: boolean
  order: Order
  onOpen: (opened: OpenDialog) => void
}

function RouteItem({ config, place, isChangeable, order, onOpen }: RouteItemProps): ReactElement {
  const { provider, is_active: isActive } = config
  return (
    <li className={`${styles.route} ${isActive ? '' : styles.isOff}`}>
      <span className={styles.place} aria-hidden="true">
        {place}
      </span>
      <span className={styles.what}>
        <span className={styles.name}>
          {nameOf(terms.provider, provider)} {!isActive && <Badge tone="neutral" text={text.off} />}
        </span>
        <span className={styles.details}>
          {config.org_id === null ? text.installation : text.own} · {text.priority.toLowerCase()}{' '}
          {config.priority} · {boundsOf(config)}
        </span>
        {!isChangeable && <span className={styles.details}>{text.locked}</span>}
      </span>
      {isChangeable && <RouteActions {...{ config, order, onOpen }} />}
    </li>
  )
}

function boundsOf({ min_amount, max_amount }: ProviderConfig): string {
  const bounds = [
    min_amount !== undefined && text.from(min_amount),
    max_amount !== undefined && text.upTo(max_amount),
  ].filter((bound) => bound !== false)
  return bounds.length === 0 ? text.anyAmount : bounds.join(' ')
}

function RouteActions({
  config,
  order,
  onOpen,
}: Omit<RouteItemProps, 'place' | 'isChangeable'>): ReactElement {
  const { config_id: id, provider, is_active: isActive } = config
  const client = useQueryClient()
  const toggle = useMutation({
    mutationFn: () => api.providerConfigs.update(provider, id, { is_active: !isActive }),
    onError: (failure) => showToast(failure.message),
    onSettled: () => client.invalidateQueries({ queryKey: ['provider-configs'] }),
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined
    if (step === undefined) return
    event.preventDefault()
    if (order.isPending) return
    if (order.canMove(id, step)) order.move(id, step)
    else showToast(text.noRoom)
  }
  const mover = (step: 1 | -1, label: string, sign: string): ReactElement => (
    <Button
      className={ui.small}
      aria-label={label}
      disabled={order.isPending || !order.canMove(id, step)}
      onClick={() => order.move(id, step)}
    >
      {sign}
    </Button>
  )
  return (
    // The keys do the same as the two buttons.
    <span className={parts.rowActions} role="group" aria-label={provider} onKeyDown={onKeyDown}>
      {mover(-1, text.upOf(provider), '↑')}
      {mover(1, text.downOf(provider), '↓')}
      <Button className={ui.small} onClick={() => onOpen({ what: 'bounds', config })}>
        {text.bounds}
      </Button>
      <Button className={ui.small} disabled={toggle.isPending} onClick={() => toggle.mutate()}>
        {isActive ? text.switchOff : text.switchOn}
      </Button>
      <Button className={ui.small} onClick={() => onOpen({ what: 'remove', config })}>
        {text.remove}
      </Button>
    </span>
  )
}

function RemoveDialog({ config, onClose }: { config: ProviderConfig; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.removeTitle}
      text={text.removeText}
      submitLabel={text.remove}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.providerConfigs.delete(config.provider, config.config_id, { idempotencyKey })
        showToast(text.removed)
        await client.invalidateQueries({ queryKey: ['provider-configs'] })
      }}
    />
  )
}
