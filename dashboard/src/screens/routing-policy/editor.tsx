import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { policyEditor as text } from '../../messages/generated/texts.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import ui from '../../ui/ui.module.css'
import { describeOtherwise, describeRule } from './describe-rule.ts'
import { JsonDialog, OtherwiseDialog, SaveDialog } from './editor-dialogs.tsx'
import { moveTo, type Policy, type Rule } from './policy.ts'
import styles from './policy.module.css'
import { RuleDialog } from './rule-dialog.tsx'
import { useDragOrder } from './use-drag-order.ts'

interface EditorProps {
  policy: Policy
  /** Whether the draft differs from the stored version. */
  isChanged: boolean
  /** Called without a policy, it restores the stored version. */
  onChange: (policy: Policy | undefined) => void
}

type OpenDialog = { what: 'add' | 'otherwise' | 'json' | 'save' } | { what: 'edit'; index: number }

export function Editor({ policy, isChanged, onChange }: EditorProps): ReactElement {
  const mayWrite = useMay('provider-configs:write')
  const [opened, setOpened] = useState<OpenDialog>()
  const onClose = (): void => setOpened(undefined)
  const { rules, costs = [], fallback = {} } = policy
  return (
    <div className={styles.stack}>
      {!mayWrite && <p className={ui.muted}>{text.readOnly}</p>}
      {isChanged && <Callout tone="wait" title={text.unsaved} />}
      {mayWrite && (
        <div className={styles.bar}>
          <Button isPrimary disabled={!isChanged} onClick={() => setOpened({ what: 'save' })}>
            {text.save}
          </Button>
          <Button disabled={!isChanged} onClick={() => onChange(undefined)}>
            {text.discard}
          </Button>
          <Button onClick={() => setOpened({ what: 'json' })}>{text.json}</Button>
        </div>
      )}
      <Panel
        title={text.rules}
        aside={mayWrite && <Button onClick={() => setOpened({ what: 'add' })}>{text.add}</Button>}
      >
        <Cards {...{ policy, mayWrite, onChange }} onOpen={setOpened} />
        {(costs.length > 0 || Object.keys(fallback).length > 0) && (
          <p className={styles.hint}>{text.more(costs.length, Object.keys(fallback).length)}</p>
        )}
        {mayWrite && rules.length > 1 && <p className={styles.hint}>{text.keys}</p>}
      </Panel>
      <Panel title={text.jsonTitle}>
        <div className={parts.text}>
          <JsonView value={policy} label={text.jsonTitle} />
        </div>
      </Panel>
      <Dialogs {...{ opened, policy, onChange, onClose }} />
    </div>
  )
}

interface DialogsProps extends Omit<EditorProps, 'isChanged'> {
  opened: OpenDialog | undefined
  onClose: () => void
}

function Dialogs({ opened, policy, onChange, onClose }: DialogsProps): ReactElement | undefined {
  const { rules } = policy
  switch (opened?.what) {
    case 'add':
      return (
        <RuleDialog
          rules={rules}
          onClose={onClose}
          onApply={(rule) => onChange({ ...policy, rules: [...rules, rule] })}
        />
      )
    case 'edit':
      return (
        <RuleDialog
          rules={rules}
          index={opened.index}
          onClose={onClose}
          onApply={(rule) => onChange({ ...policy, rules: rules.with(opened.index, rule) })}
        />
      )
    case 'otherwise':
      return <OtherwiseDialog {...{ policy, onChange, onClose }} />
    case 'json':
      return <JsonDialog {...{ policy, onChange, onClose }} />
    case 'save':
      return <SaveDialog {...{ policy, onChange, onClose }} />
    case undefined:
      return undefined
  }
}

interface CardsProps extends Omit<EditorProps, 'isChanged'> {
  mayWrite: boolean
  onOpen: (opened: OpenDialog) => void
}

/** The rules in order, each as a sentence; the last card applies to all other payments. */
function Cards({ policy, mayWrite, onChange, onOpen }: CardsProps): ReactElement {
  const { rules, otherwise } = policy
  const move = (from: number, to: number): void => {
    const rule = rules[from]
    if (!rule || !rules[to]) return
    onChange({ ...policy, rules: moveTo(rules, from, to) })
    showToast(text.moved(rule.name, to + 1))
  }
  const { list, drag, handleOf } = useDragOrder(move)
  return (
    <>
      {rules.length === 0 && <p className={styles.hint}>{text.noRules}</p>}
      <ol ref={list} aria-label={text.rules}>
        {rules.map((rule, index) => (
          <li key={rule.name} className={`${styles.card} ${dragClass(drag, index)}`}>
            <span
              className={`${styles.place} ${mayWrite ? styles.handle : ''}`}
              aria-hidden="true"
              {...(mayWrite && handleOf(index))}
            >
              {index + 1}
            </span>
            <span className={styles.what}>
              <span className={styles.name}>{rule.name}</span>
              <span>{describeRule(rule)}</span>
            </span>
            {mayWrite && (
              <CardActions
                rule={rule}
                isFirst={index === 0}
                isLast={index === rules.length - 1}
                onMove={(step) => move(index, index + step)}
                onEdit={() => onOpen({ what: 'edit', index })}
                onDelete={() => onChange({ ...policy, rules: rules.toSpliced(index, 1) })}
              />
            )}
          </li>
        ))}
      </ol>
      <div className={styles.card}>
        <span className={styles.what}>
          <span className={styles.name}>{text.otherwise}</span>
          <span>{describeOtherwise(otherwise, rules.length > 0)}</span>
        </span>
        {mayWrite && (
          <Button
            className={ui.small}
            aria-label={text.editOf(text.otherwise)}
            onClick={() => onOpen({ what: 'otherwise' })}
          >
            {text.edit}
          </Button>
        )}
      </div>
    </>
  )
}

/** The dragged rule, and the edge of the rule where it would be dropped. */
function dragClass(drag: { from: number; to: number } | undefined, index: number): string | undefined {
  if (drag?.from === index) return styles.dragged
  if (drag?.to !== index) return ''
  return drag.to < drag.from ? styles.before : styles.after
}

interface CardActionsProps {
  rule: Rule
  isFirst: boolean
  isLast: boolean
  onMove: (step: 1 | -1) => void
  onEdit: () => void
  onDelete: () => void
}

function CardActions({ rule, isFirst, isLast, onMove, onEdit, onDelete }: CardActionsProps): ReactElement {
  const { name } = rule
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined
    if (step === undefined) return
    event.preventDefault()
    onMove(step)
  }
  return (
    // The keys do the same as the two buttons.
    <span className={parts.rowActions} role="group" aria-label={name} onKeyDown={onKeyDown}>
      <Button className={ui.small} aria-label={text.upOf(name)} disabled={isFirst} onClick={() => onMove(-1)}>
        ↑
      </Button>
      <Button className={ui.small} aria-label={text.downOf(name)} disabled={isLast} onClick={() => onMove(1)}>
        ↓
      </Button>
      <Button className={ui.small} aria-label={text.editOf(name)} onClick={onEdit}>
        {text.edit}
      </Button>
      <Button className={ui.small} aria-label={text.deleteOf(name)} onClick={onDelete}>
        {text.delete}
      </Button>
    </span>
  )
}
