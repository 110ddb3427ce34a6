"""Plancraft: crafting tasks in Minecraft, played turn by turn by the rules of the package `plancraft`."""
