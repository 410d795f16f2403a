import { Suspense, useState, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { states } from '../messages/generated/texts.ts'
import { Button } from './button.tsx'
import { controlClass, type FilterProps, type ManyFilterProps } from './filter-parts.ts'
import { lazyWhenIdle } from './lazy-when-idle.ts'
import styles from './list.module.css'
import type { ListAddress } from './list-address.ts'

interface FiltersProps {
  address: ListAddress
  children: ReactNode
  /** Less common filters, behind a button; expanded if one of them is set. */
  more?: { names: readonly string[]; filters: ReactNode }
}

export function Filters({ address, children, more }: FiltersProps): ReactElement {
  const isMoreSet = more?.names.some((name) => name in address.filters) ?? false
  const [isOpened, setOpened] = useState(false)
  const isOpen = isOpened || isMoreSet
  return (
    <search className={styles.filters} aria-label={states.filters}>
      {children}
      {more && !isMoreSet && (
        <Button aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
          {isOpen ? states.fewerFilters : states.moreFilters}
        </Button>
      )}
      {address.isFiltered && <Button onClick={address.clear}>{states.clear}</Button>}
      {isOpen && <div className={styles.more}>{more?.filters}</div>}
    </search>
  )
}

/** The options are labels by value. */
export function ChoiceFilter({
  address,
  name,
  label,
  options,
  anyLabel = states.any,
}: FilterProps & { options: Readonly<Record<string, string>>; anyLabel?: string }): ReactElement {
  const value = address.filters[name] ?? ''
  return (
    <label className={styles.filter}>
      {label}
      <select
        className={controlClass(value)}
        value={value}
        onChange={({ target }) => address.change(name, target.value)}
      >
        <option value="">{anyLabel}</option>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

const ManyMenu = lazyWhenIdle(async () => (await import('./many-filter.tsx')).ManyFilter)

/** Several values, separated by commas in the URL. The menu is fetched after the page is shown. */
export const ManyFilter = (props: ManyFilterProps): ReactElement => (
  <Suspense
    fallback={
      <div className={styles.filter}>
        <span aria-hidden="true">{props.label}</span>
        <span className={controlClass('', styles.many)} />
      </div>
    }
  >
    <ManyMenu {...props} />
  </Suspense>
)

const widthOf = (isCode: boolean, { type, inputMode }: Pick<ComponentProps<'input'>, 'type' | 'inputMode'>) =>
  type === 'search' ? styles.search : isCode || inputMode ? styles.short : styles.wide

/** Applied on Enter or blur, so that the URL does not change with every letter. */
export function TextFilter({
  address,
  name,
  label,
  isCode = false,
  ...input
}: FilterProps & { isCode?: boolean } & Pick<
    ComponentProps<'input'>,
    'type' | 'placeholder' | 'inputMode'
  >): ReactElement {
  const applied = address.filters[name] ?? ''
  const [typed, setTyped] = useState<string>()
  const apply = (): void => {
    if (typed !== undefined && typed.trim() !== applied)
      address.change(name, isCode ? typed.trim().toUpperCase() : typed.trim())
    setTyped(undefined)
  }
  return (
    <label className={styles.filter}>
      {label}
      <input
        {...input}
        className={controlClass(applied, widthOf(isCode, input))}
        value={typed ?? applied}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply()
        }}
      />
    </label>
  )
}

/** A day in the person's time zone. */
export function DayFilter({ address, name, label }: FilterProps): ReactElement {
  const value = address.filters[name] ?? ''
  return (
    <label className={styles.filter}>
      {label}
      <input
        type="date"
        className={controlClass(value)}
        value={value}
        onChange={({ target }) => address.change(name, target.value)}
      />
    </label>
  )
}
