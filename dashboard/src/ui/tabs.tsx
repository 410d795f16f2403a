import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactElement, ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import styles from './ui.module.css'

interface Tab {
  id: string
  label: string
  content: ReactNode
}

/** The selected tab is in the URL as `view`; the first tab is the default. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): ReactElement {
  const [query, setQuery] = useSearchParams()
  const first = tabs[0]?.id ?? ''
  const chosen = tabs.find(({ id }) => id === query.get('view'))?.id ?? first
  const choose = (id: string): void => {
    const next = new URLSearchParams(location.search)
    if (id === first) next.delete('view')
    else next.set('view', id)
    setQuery(next, { replace: true, preventScrollReset: true })
  }
  return (
    <BaseTabs.Root value={chosen} onValueChange={choose}>
      <BaseTabs.List className={styles.tabs} aria-label={label}>
        {tabs.map((tab) => (
          <BaseTabs.Tab key={tab.id} value={tab.id} className={styles.tab}>
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.id} value={tab.id} className={styles.tabPanel}>
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
