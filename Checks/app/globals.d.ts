// What the web app uses and the DOM types of TypeScript 4.8 lack. Checks/app/check-types reads it.

type Tags = HTMLElementTagNameMap;

/** At any depth; JSDoc has no recursive types. */
interface Nested<T> extends ReadonlyArray<T | Nested<T>> {}

/** Whatever is looked up by a selector in the app is an element of HTML. */
interface ParentNode {
  querySelector<K extends keyof Tags>(selector: K): Tags[K] | null;
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll<K extends keyof Tags>(selector: K): NodeListOf<Tags[K]>;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
}

interface Element {
  closest<K extends keyof Tags>(selector: K): Tags[K] | null;
  closest(selector: string): HTMLElement | null;
  checkVisibility(options?: { contentVisibilityAuto?: boolean }): boolean;
}

interface HTMLElement {
  showPopover(): void;
}

interface Navigator {
  /** Of Safari on iPhones and iPads. */
  readonly standalone?: boolean;
  readonly userActivation?: { readonly hasBeenActive: boolean };
  setAppBadge?(number: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

interface PushSubscription {
  unsubscribe(): Promise<boolean>;
}

interface URLSearchParams {
  readonly size: number;
}

declare namespace Intl {
  function supportedValuesOf(key: "timeZone"): string[];
}

/** Its functions say that they return texts, as the sinks that are checked by it want. */
declare var trustedTypes: { createPolicy<Rules>(name: string, rules: Rules): Rules } | undefined;

/** Of Chromium; it installs the app. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}
interface WindowEventMap {
  beforeinstallprompt: BeforeInstallPromptEvent;
}

interface ToggleEvent extends Event {
  readonly newState: "open" | "closed";
}

/** No form of the app has files, and what is asked for is there but for an unchecked box. */
interface FormData {
  get(name: string): string;
  getAll(name: string): string[];
}
