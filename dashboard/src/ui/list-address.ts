import { useSearchParams } from 'react-router'

/** The filters and the cursor of a list. They are in the URL, so that reload, back and a shared link show the same rows. */
export interface ListAddress {
  filters: Readonly<Record<string, string>>
  cursor: string
  isFiltered: boolean
  /** Sets a filter, or removes it if the value is empty, and returns to the first page. */
  change: (name: string, value: string) => void
  clear: () => void
  goTo: (cursor: string) => void
}

export function useListAddress(filterNames: readonly string[]): ListAddress {
  const [query, setQuery] = useSearchParams()
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])),
  )
  /** Read from the URL, not from the last render: a second change may follow before the first is rendered. */
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(location.search)
    next.delete('cursor')
    if (value === '') next.delete(name)
    else next.set(name, value)
    setQuery(next)
  }
  return {
    filters,
    cursor: query.get('cursor') ?? '',
    isFiltered: Object.keys(filters).length > 0,
    change: set,
    clear: () => setQuery({}),
    goTo: (cursor) => set('cursor', cursor),
  }
}
