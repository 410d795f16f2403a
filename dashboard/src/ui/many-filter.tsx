import { Menu } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { states } from '../messages/generated/texts.ts'
import { controlClass, type ManyFilterProps } from './filter-parts.ts'
import { formatSeries } from './format.ts'
import styles from './list.module.css'
import ui from './ui.module.css'

export function ManyFilter({ address, name, label, options }: ManyFilterProps): ReactElement {
  const value = address.filters[name] ?? ''
  const chosen = value.split(',').filter((one) => one in options)
  const words = formatSeries(chosen.map((one) => options[one] ?? one))
  const toggle = (option: string, isChosen: boolean): void =>
    address.change(
      name,
      Object.keys(options)
        .filter((one) => (one === option ? isChosen : chosen.includes(one)))
        .join(','),
    )
  return (
    <div className={styles.filter}>
      <span aria-hidden="true">{label}</span>
      <Menu.Root>
        <Menu.Trigger
          className={controlClass(value, styles.many)}
          aria-label={`${label}: ${words || states.any}`}
        >
          {words || states.any}
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="start" sideOffset={4}>
            <Menu.Popup className={ui.menu}>
              {Object.entries(options).map(([option, text]) => (
                <Menu.CheckboxItem
                  key={option}
                  className={ui.menuItem}
                  checked={chosen.includes(option)}
                  onCheckedChange={(isChosen) => toggle(option, isChosen)}
                >
                  {text}
                  <Menu.CheckboxItemIndicator aria-hidden="true">✓</Menu.CheckboxItemIndicator>
                </Menu.CheckboxItem>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  )
}
