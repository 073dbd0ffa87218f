import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent } from 'vue';
import HomePage from './home-page.vue';
import SiteLayout from './site-layout.vue';
import { rememberTabs } from './remember-tabs.ts';
import './style.css';
import './home.css';
import './playground.css';

const theme: Theme = {
  extends: DefaultTheme,
  Layout: SiteLayout,
  enhanceApp({ app }) {
    app.component('HomePage', HomePage);
    // It brings the packages along, so it comes when its page is opened.
    app.component(
      'SkillPlayground',
      defineAsyncComponent(() => import('./skill-playground.vue')),
    );
    if (typeof window !== 'undefined') rememberTabs();
  },
};

export default theme;
