export const themes = ['light', 'dark', 'system'] as const
type Theme = (typeof themes)[number]

const storageKey = 'switchyard-theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

export function currentTheme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme)
  applyTheme()
}

function applyTheme(): void {
  const theme = currentTheme()
  const isDark = theme === 'dark' || (theme === 'system' && prefersDark.matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
}

/** Applies the theme before the first paint, and again when the system or another tab changes it. */
export function startTheme(): void {
  applyTheme()
  prefersDark.addEventListener('change', applyTheme)
  addEventListener('storage', applyTheme)
}
