// Light, dark, or as the system says.
export type ThemeChoice = "auto" | "light" | "dark";

const KEY = "dagwright-theme";
const system = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;

class Theme {
  choice = $state<ThemeChoice>("auto");

  constructor() {
    const saved = typeof localStorage === "undefined" ? null : localStorage.getItem(KEY);
    if (saved === "light" || saved === "dark") this.choice = saved;
    system?.addEventListener("change", () => this.show());
    this.show();
  }

  set(choice: ThemeChoice): void {
    this.choice = choice;
    localStorage.setItem(KEY, choice);
    this.show();
  }

  private show(): void {
    const dark = this.choice === "dark" || (this.choice === "auto" && system?.matches === true);
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  }
}

export const theme = new Theme();
