import type { ReactElement } from 'react'
import { policyRule as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import ui from '../../ui/ui.module.css'
import { useProviderCatalog } from '../routing/add-dialog.tsx'
import { labelOf, routeOf, type Share, type Strategy, type StrategyType } from './policy.ts'
import styles from './policy.module.css'

interface StrategyFieldsProps {
  strategy: Strategy
  onChange: (strategy: Strategy) => void
}

const defaults: Readonly<Record<StrategyType, Strategy>> = {
  priority: { type: 'priority' },
  split: { type: 'split', shares: [] },
  cost: { type: 'cost' },
  success_rate: { type: 'success_rate', exploration_percent: 2, daily_limit: 100, hysteresis_percent: 2 },
}

/** The strategy and its fields. The order is read from the form when the dialog is submitted. */
export const StrategyFields = ({ strategy, onChange }: StrategyFieldsProps): ReactElement => (
  <div className={styles.group}>
    <SelectField
      name="strategy"
      label={text.strategy}
      options={text.strategies}
      value={strategy.type}
      onChange={({ target }) => {
        const type = target.value as StrategyType // one of the options
        onChange({ ...defaults[type], ...(strategy.order && { order: strategy.order }) })
      }}
    />
    {strategy.type === 'split' && <Shares strategy={strategy} onChange={onChange} />}
    {strategy.type === 'success_rate' && <Learning strategy={strategy} onChange={onChange} />}
    <TextField
      name="order"
      label={text.order}
      hint={text.orderHint}
      defaultValue={(strategy.order ?? []).map(labelOf).join(', ')}
    />
  </div>
)

function Learning({ strategy, onChange }: StrategyFieldsProps): ReactElement {
  const field = (
    name: 'exploration_percent' | 'daily_limit' | 'hysteresis_percent',
    label: string,
    hint?: string,
  ): ReactElement => (
    <TextField
      {...{ name, label, hint }}
      type="number"
      min={0}
      step="any"
      required
      value={strategy[name] ?? ''}
      onChange={({ target }) => onChange({ ...strategy, [name]: Number(target.value) })}
    />
  )
  return (
    <>
      {field('exploration_percent', text.exploration, text.explorationHint)}
      {field('daily_limit', text.dailyLimit)}
      {field('hysteresis_percent', text.hysteresis, text.hysteresisHint)}
    </>
  )
}

function Shares({ strategy, onChange }: StrategyFieldsProps): ReactElement {
  const { data: catalog = [] } = useProviderCatalog()
  const { shares = [] } = strategy
  const sum = shares.reduce((total, { percent }) => total + percent, 0)
  const known = new Set([...catalog.map(({ provider }) => provider), ...shares.map(labelOf)])
  const options = new Map([...known].map((label) => [label, nameOf(terms.provider, label)]))
  const set = (next: Share[]): void => onChange({ ...strategy, shares: next })
  const unused = [...known].find((label) => !shares.some((share) => labelOf(share) === label))
  return (
    <>
      {shares.map((share, index) => (
        <div key={index} className={styles.share}>
          <SelectField
            name={`share_${index}`}
            label={text.shareOf(index + 1)}
            options={options}
            value={labelOf(share)}
            onChange={({ target }) =>
              set(shares.with(index, { ...routeOf(target.value), percent: share.percent }))
            }
          />
          <TextField
            name={`percent_${index}`}
            label={text.percentOf(index + 1)}
            type="number"
            min={0}
            max={100}
            step="any"
            required
            value={share.percent}
            onChange={({ target }) => set(shares.with(index, { ...share, percent: Number(target.value) }))}
          />
          <Button aria-label={text.removeShare(index + 1)} onClick={() => set(shares.toSpliced(index, 1))}>
            ×
          </Button>
        </div>
      ))}
      <span className={styles.bar}>
        <Button
          className={ui.small}
          disabled={unused === undefined}
          onClick={() =>
            unused !== undefined && set([...shares, { ...routeOf(unused), percent: Math.max(0, 100 - sum) }])
          }
        >
          {text.addShare}
        </Button>
        <span className={ui.hint}>{text.sharesHint(String(sum))}</span>
      </span>
    </>
  )
}
